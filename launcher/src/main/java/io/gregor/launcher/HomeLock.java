package io.gregor.launcher;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * One process per home directory: an exclusive lock on {@code run/gregor.lock}, which holds the pid of the owner. The
 * operating system frees it when the process ends, however it ends. Owned by the main thread, later by the shutdown hook.
 */
final class HomeLock implements AutoCloseable {
    private final FileChannel channel;

    private HomeLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Makes {@code run} (open to its owner only) and takes the lock.
     *
     * @throws RefusedStart if another process has it, or the directory cannot be used
     */
    static HomeLock take(Path home) {
        Path run = home.resolve("run");
        Path file = run.resolve("gregor.lock");
        try {
            Files.createDirectories(run);
            Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new RefusedStart("home=" + home + " is in use by pid="
                        + Files.readString(file).strip() + "; stop that process or choose another --home");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)));
            return new HomeLock(channel);
        } catch (IOException fault) {
            throw new RefusedStart("home=" + home + " cannot be used: " + fault + "; choose another --home", fault);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException held) {
            return null;
        }
    }

    /** Empties the file, so that no pid is left in it, and gives the lock back. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.truncate(0);
            channel.close();
        }
    }
}
