package io.gregor.transport.internal;

import java.util.Optional;

/** Protocols that are often spoken to a broker by mistake, known by the four bytes that should be a length. Immutable. */
public enum ForeignProtocol {
    HTTP,
    TLS,
    SSH;

    /** Below this length no foreign protocol begins. */
    static final int LEAST_LENGTH = 0x14000000;

    /** Which protocol begins with these four bytes, read as a length. */
    static Optional<ForeignProtocol> of(int length) {
        if (length < LEAST_LENGTH) {
            return Optional.empty();
        }
        if (length >>> 16 == 0x1603 && (length >>> 8 & 0xff) <= 4) {
            return Optional.of(TLS);
        }
        return switch (length) {
            case 0x5353482d -> Optional.of(SSH); // "SSH-"
            case 0x47455420, // "GET "
                    0x48454144, // "HEAD"
                    0x504f5354, // "POST"
                    0x50555420, // "PUT "
                    0x50415443, // "PATC"
                    0x44454c45, // "DELE"
                    0x4f505449, // "OPTI"
                    0x54524143, // "TRAC"
                    0x434f4e4e, // "CONN"
                    0x50524920 // "PRI ", HTTP/2
            -> Optional.of(HTTP);
            default -> Optional.empty();
        };
    }
}
