package io.gregor.storage.internal;

import io.gregor.internal.node.EngineThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes log directories offline that failed: first the partitions in them, then the logs, then the controller is told.
 * Owned by its thread {@code LogDirFailureHandler}; listeners are added by any thread.
 */
final class DirectoryFailures implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryFailures.class);

    private final LogDirFailureChannel channel;
    private final LogManager manager;
    private final Consumer<String> onAllFailed;
    private final List<Consumer<String>> takeOffline = new CopyOnWriteArrayList<>();
    private final List<Consumer<Uuid>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread = EngineThread.daemon("LogDirFailureHandler", this::handleAll);

    DirectoryFailures(LogDirFailureChannel channel, LogManager manager, Consumer<String> onAllFailed) {
        this.channel = channel;
        this.manager = manager;
        this.onAllFailed = onAllFailed;
    }

    void start() {
        thread.start();
    }

    /** Calls with the path of a directory that failed, before its logs are closed. */
    Runnable addTakeOffline(Consumer<String> action) {
        takeOffline.add(action);
        return () -> takeOffline.remove(action);
    }

    /** Calls with the id of a directory that failed, after its logs were closed. */
    Runnable addListener(Consumer<Uuid> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void handleAll() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                handle(channel.takeNextOfflineLogDir());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes one directory offline. */
    void handle(String directory) {
        if (!manager.isLogDirOnline(directory)) {
            return;
        }
        LOGGER.error("log directory failed, its partitions are taken offline: directory={}", directory);
        Uuid id = manager.directoryId(directory).orElse(null);
        try {
            takeOffline.forEach(action -> action.accept(directory));
            if (manager.liveLogDirs().size() == 1) {
                onAllFailed.accept(directory);
                return;
            }
            manager.handleLogDirFailure(directory);
            if (id != null) {
                listeners.forEach(listener -> listener.accept(id));
            }
        } catch (RuntimeException e) {
            LOGGER.error("could not take a failed log directory offline: directory={}", directory, e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        if (thread == Thread.currentThread()) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
