package io.gregor.shell.internal;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;

/**
 * The file of a Unix socket that only its user can open: the directory is closed to others before the socket is bound.
 * Immutable.
 *
 * @param path where it is
 */
public record SocketFile(Path path) {
    /** {@code sun_path} has 108 bytes on Linux, the last one for the end of the string. */
    static final int PATH_LIMIT_BYTES = 107;

    private static final int BACKLOG = 128;

    /** The console's socket below a node's home. */
    public static SocketFile below(Path home) {
        return new SocketFile(home.resolve("run").resolve("gregor.sock"));
    }

    /**
     * Binds it, after taking away one that nobody listens at any more.
     *
     * @throws IOException if the path is too long, the directory cannot be made ours, or another node answers there
     */
    ServerSocketChannel bind() throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > PATH_LIMIT_BYTES) {
            throw new IOException("socket path too long: path=" + path + " lengthBytes=" + length + " limitBytes="
                    + PATH_LIMIT_BYTES + ", choose a --home with a shorter path");
        }
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent(), "a socket is in a directory");
        closeToOthers(directory);
        removeStale();
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            return server;
        } catch (IOException fault) {
            server.close();
            throw fault;
        }
    }

    /** Whoever made the directory could give its place to another one, and so be asked instead of this node. */
    private static void closeToOthers(Path directory) throws IOException {
        boolean isNew = Files.notExists(directory, LinkOption.NOFOLLOW_LINKS);
        Files.createDirectories(directory);
        if (Files.isSymbolicLink(directory)) {
            throw new IOException(
                    "directory of the socket is a link: path=" + directory + ", take it away and start the node again");
        }
        if (!isNew) {
            checkOwner(directory);
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static void checkOwner(Path existing) throws IOException {
        UserPrincipal owner = Files.getOwner(existing, LinkOption.NOFOLLOW_LINKS);
        Path own = Files.createTempFile("gregor", "owner");
        UserPrincipal user = Files.getOwner(own);
        Files.delete(own);
        if (!owner.equals(user)) {
            throw new IOException("somebody else made what the console needs: path=" + existing + " owner="
                    + owner.getName() + " node=" + user.getName() + ", take it away and start the node again");
        }
    }

    private void removeStale() throws IOException {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        checkOwner(path);
        if (answers()) {
            throw new IOException("another node answers: path=" + path + ", stop it or choose another --home");
        }
        Files.delete(path);
    }

    private boolean answers() {
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            return probe.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    /** Takes the file away. */
    void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
