package io.gregor.shell.internal;

import java.nio.charset.StandardCharsets;

/**
 * What a command came to. Immutable.
 *
 * @param output what it printed
 * @param status 0 if it went well, 1 if not
 */
public record Reply(String output, int status) {
    private static final char END_OF_OUTPUT = '\0';

    /** A command that went well. */
    public static Reply done(String output) {
        return new Reply(output, 0);
    }

    /** A command that did not. */
    public static Reply failed(String output) {
        return new Reply(output, 1);
    }

    /** The bytes for the client: the output, a NUL, the status in decimal digits. */
    byte[] bytes() {
        String lines = output.replace(END_OF_OUTPUT, ' ');
        String end = lines.isEmpty() || lines.endsWith("\n") ? "" : "\n";
        return (lines + end + END_OF_OUTPUT + status).getBytes(StandardCharsets.UTF_8);
    }
}
