package io.gregor.plugins.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

/**
 * The jars that the deployer itself has put into {@code deploy/}: what is found there later is deployed already, unless
 * somebody has changed it. Owned by the deployer thread.
 */
final class KeptJars {
    private final Path directory;
    private final Map<Path, FileTime> changed = new HashMap<>();

    KeptJars(Path directory) {
        this.directory = directory;
    }

    /** Puts a jar there, whole at any moment; only its owner can write to it. */
    void put(Path content, Path file) throws IOException {
        Path part = Files.createTempFile(directory, "." + file.getFileName(), ".part");
        try {
            Files.write(part, Files.readAllBytes(content));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            changed.put(file, changed(file));
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Whether this file is one of them, as it was put there. */
    boolean has(Path file) {
        FileTime put = changed.get(file);
        if (put == null) {
            return false;
        }
        try {
            if (put.equals(changed(file))) {
                return true;
            }
        } catch (IOException gone) {
            changed.remove(file);
            return false;
        }
        changed.remove(file);
        return false;
    }

    private static FileTime changed(Path file) throws IOException {
        return (FileTime) Files.getAttribute(file, "unix:ctime");
    }
}
