package io.gregor.shell.internal;

import java.io.OutputStream;

/** Runs command lines. Shared: any thread. */
public interface CommandLine {
    /**
     * Runs one to its end; what goes wrong is printed.
     *
     * @param output takes what it prints; shown to the caller at each flush, and at the end
     * @return its status: 0 if it went well, 1 if not
     */
    int run(String command, Caller caller, OutputStream output);
}
