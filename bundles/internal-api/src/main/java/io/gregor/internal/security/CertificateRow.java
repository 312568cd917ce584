package io.gregor.internal.security;

/**
 * A certificate in use. Immutable.
 *
 * @param listener the listener's name
 * @param store {@code key store} or {@code trust store}
 * @param alias its name in the store
 * @param subject whose it is, as RFC 2253 writes it
 * @param issuer who signed it
 * @param serial its number, in hexadecimal digits
 * @param notBeforeMs from when on it is valid, in milliseconds since the epoch
 * @param notAfterMs until when
 * @param source the file it was read from, or {@code inline}
 * @param readMs when it was read
 * @param problem why a newer store is not used, or empty
 */
public record CertificateRow(
        String listener,
        String store,
        String alias,
        String subject,
        String issuer,
        String serial,
        long notBeforeMs,
        long notAfterMs,
        String source,
        long readMs,
        String problem) {}
