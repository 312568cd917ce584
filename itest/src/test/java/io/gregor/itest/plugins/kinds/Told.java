package io.gregor.itest.plugins.kinds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Lines that a plugin writes for the test, in the node's home. */
public final class Told {
    private Told() {}

    static void tell(String line) {
        try {
            Files.writeString(
                    file(Path.of(System.getProperty("gregor.home"))),
                    line + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Where they are. */
    public static Path file(Path home) {
        return home.resolve("told.txt");
    }
}
