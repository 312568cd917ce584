package io.gregor.plugins.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes jars: copies them to where nobody else writes, and looks whether they may and can be used. What was looked at is what
 * is installed, also if the file is overwritten meanwhile. Owned by the deployer thread.
 */
public final class JarIntake {
    private final Path copies;
    private final List<JarCheck> checks = new CopyOnWriteArrayList<>();
    private @Nullable FileOwnership ownership;
    private long count;

    /**
     * Not used yet.
     *
     * @param copies the directory for the copies; it belongs to this process alone
     */
    public JarIntake(Path copies) {
        this.copies = copies;
    }

    /** Adds a further check, made when a jar is whole and a bundle. Any thread. */
    public void add(JarCheck check) {
        checks.add(check);
    }

    /**
     * A jar that may be used. Immutable.
     *
     * @param copy to be deleted by whoever has it
     * @param changedNs when the file was last changed, put there or renamed
     */
    public record Taken(Path copy, BundleManifest manifest, long changedNs) {}

    /**
     * Takes a jar.
     *
     * @return empty if it is not whole yet: it is still being written
     * @throws RefusedJar if it must not be used
     * @throws IOException if it cannot be read, as it has gone
     */
    public Optional<Taken> take(Path file) throws RefusedJar, IOException {
        checkOwner(file);
        long changedNs = changedNs(file);
        Path copy = copies.resolve(++count + ".jar");
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        boolean isTaken = false;
        try {
            if (!WholeJar.isWhole(copy)) {
                return Optional.empty();
            }
            BundleManifest manifest = BundleManifest.read(copy);
            for (JarCheck check : checks) {
                check.check(copy);
            }
            isTaken = true;
            return Optional.of(new Taken(copy, manifest, changedNs));
        } finally {
            if (!isTaken) {
                Files.deleteIfExists(copy);
            }
        }
    }

    /** Checks that nobody else can change the jar, nor the directory that it is in. */
    void checkOwner(Path file) throws RefusedJar, IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            ownership().check(directory);
        }
        ownership().check(file);
    }

    /** Who owns a jar and its directory and may write to them, in short; to be compared only. */
    String rights(Path file) {
        return FileOwnership.rights(file) + " "
                + FileOwnership.rights(file.toAbsolutePath().getParent());
    }

    /** Checks that nobody else can put jars into the directory. */
    void checkDirectory(Path directory) throws RefusedJar, IOException {
        ownership().check(directory);
    }

    private FileOwnership ownership() throws IOException {
        FileOwnership known = ownership;
        if (known == null) {
            Files.createDirectories(copies);
            Path own = Files.createTempFile(copies, "own", "");
            known = new FileOwnership(Files.getOwner(own).getName());
            Files.delete(own);
            ownership = known;
        }
        return known;
    }

    private static long changedNs(Path file) throws IOException {
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        return changed.to(TimeUnit.NANOSECONDS);
    }
}
