package io.gregor.plugins.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds that only the user of the process can change what it runs: directory and jar, and what links among them lead to, belong
 * to that user and can be written by nobody else. Immutable.
 */
public final class FileOwnership {
    private static final int MOST_LINKS = 40;

    private final String user;

    public FileOwnership(String user) {
        this.user = user;
    }

    /**
     * Checks a directory or a jar, and what it leads to if it is a link. The directory of a link's target is checked too.
     *
     * @throws RefusedJar if another user could change it: which file, its owner and mode, and what to do
     */
    public void check(Path path) throws RefusedJar, IOException {
        Path at = path.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(at); links++) {
            if (links == MOST_LINKS) {
                throw new RefusedJar("too many links: file=" + path, "put the jar itself there");
            }
            checkOwner(at);
            at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
            checkOne(parent(at).toRealPath());
        }
        checkOne(at);
    }

    /** Owner and mode of what a path leads to, and of a link itself; empty if there is nothing. */
    static String rights(@Nullable Path path) {
        try {
            return path == null ? "" : rights(attributes(path)) + rights(attributes(path.toRealPath()));
        } catch (IOException gone) {
            return "";
        }
    }

    private static String rights(PosixFileAttributes found) {
        return found.owner().getName() + PosixFilePermissions.toString(found.permissions());
    }

    private static Path parent(Path path) throws NoSuchFileException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new NoSuchFileException(path.toString());
        }
        return parent;
    }

    private void checkOne(Path file) throws RefusedJar, IOException {
        checkOwner(file);
        Set<PosixFilePermission> mode = attributes(file).permissions();
        if (mode.contains(PosixFilePermission.GROUP_WRITE) || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw unsafe(file, "others than its owner can write to it", "chmod go-w " + file);
        }
    }

    private void checkOwner(Path file) throws RefusedJar, IOException {
        if (!attributes(file).owner().getName().equals(user)) {
            throw unsafe(file, "it does not belong to " + user + ", who runs this node", "chown " + user + " " + file);
        }
    }

    private static RefusedJar unsafe(Path file, String why, String advice) throws IOException {
        PosixFileAttributes found = attributes(file);
        return new RefusedJar(
                why + ": path=" + file + " owner=" + found.owner().getName() + " mode="
                        + PosixFilePermissions.toString(found.permissions()),
                advice);
    }

    private static PosixFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
