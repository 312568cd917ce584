package io.gregor.launcher;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;

/** What the shell sends for one command: output, a NUL byte, the status as decimal digits. Owned by the main thread. */
final class ShellReply {
    private final InputStream in;

    ShellReply(InputStream in) {
        this.in = in;
    }

    /**
     * Prints the output as it arrives.
     *
     * @return the status
     * @throws IOException if the reply ends without a status: the node went away meanwhile
     */
    int copyTo(PrintStream out) throws IOException {
        ByteArrayOutputStream status = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        boolean isOutput = true;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            int end = isOutput ? indexOfNul(buffer, count) : -1;
            if (!isOutput) {
                status.write(buffer, 0, count);
            } else if (end < 0) {
                out.write(buffer, 0, count);
            } else {
                isOutput = false;
                out.write(buffer, 0, end);
                status.write(buffer, end + 1, count - end - 1);
            }
            out.flush();
        }
        String digits = status.toString(US_ASCII).strip();
        if (!digits.matches("\\d{1,3}")) {
            throw new IOException("the connection ended before the command did");
        }
        return Integer.parseInt(digits);
    }

    private static int indexOfNul(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        return -1;
    }
}
