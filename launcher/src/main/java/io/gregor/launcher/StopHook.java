package io.gregor.launcher;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs when the process ends, by a signal or by the node's wish: stops the framework and waits for it, within a limit, so
 * that a bundle that hangs cannot hold the process for ever. Owned by the thread of the shutdown hook.
 */
final class StopHook extends Thread {
    private static final Logger LOGGER = LoggerFactory.getLogger(StopHook.class);
    private static final Duration REPORT = Duration.ofSeconds(10);

    private final NodeFramework framework;
    private final HomeLock lock;
    private final Duration limit;

    StopHook(NodeFramework framework, HomeLock lock, Duration limit) {
        super("gregor-stop");
        this.framework = framework;
        this.lock = lock;
        this.limit = limit;
    }

    @Override
    public void run() {
        try {
            framework.stop();
            if (awaitStopped()) {
                LOGGER.info("stopped");
            } else {
                LOGGER.error(
                        "the node did not stop in time, its process ends all the same: {} limitMs={}",
                        framework.stopping(),
                        limit.toMillis());
            }
            lock.close();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (IOException fault) {
            LOGGER.warn("run/gregor.lock cannot be emptied; it is free all the same", fault);
        }
    }

    private boolean awaitStopped() throws InterruptedException {
        for (Duration left = limit; left.compareTo(Duration.ZERO) > 0; left = left.minus(REPORT)) {
            if (framework.awaitStopped(REPORT)) {
                return true;
            }
            LOGGER.info("still stopping: {}", framework.stopping());
        }
        return false;
    }
}
