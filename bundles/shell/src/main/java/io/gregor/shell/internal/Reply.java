package io.gregor.shell.internal;

import java.nio.charset.StandardCharsets;

/**
 * An answer without a command. Immutable.
 *
 * @param reason why it was not run
 */
record Reply(String reason) {
    private static final int FAILED = 1;

    /** The bytes for the client: the reason as its output, a NUL, the status in decimal digits. */
    byte[] bytes() {
        return (reason + "\n\0" + FAILED).getBytes(StandardCharsets.UTF_8);
    }
}
