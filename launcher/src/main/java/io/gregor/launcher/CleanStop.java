package io.gregor.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.launch.Framework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the bundles, highest start level first, and waits for it within a limit, so that one that hangs cannot hold the
 * process for ever. Shared: any thread; the first caller does it, the others wait until it is done.
 */
final class CleanStop implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(CleanStop.class);
    private static final String READY = "io.gregor.internal.node.RoleReady";
    private static final Duration REPORT = Duration.ofSeconds(10);

    private final Framework framework;
    private final HomeLock lock;
    private final Duration limit;
    private boolean isDone;

    CleanStop(Framework framework, HomeLock lock, Duration limit) {
        this.framework = framework;
        this.lock = lock;
        this.limit = limit;
    }

    @Override
    public synchronized void run() {
        if (isDone) {
            return;
        }
        isDone = true;
        try {
            boolean wasReady = isReady();
            framework.stop();
            if (awaitStopped()) {
                if (wasReady) {
                    ClassArchive.writeIfAsked();
                }
                LOGGER.info("stopped");
            } else {
                LOGGER.error(
                        "the node did not stop in time, its process ends all the same: bundles={} limitMs={}",
                        stopping(),
                        limit.toMillis());
            }
            lock.close();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (BundleException | IOException fault) {
            LOGGER.error("the node did not stop cleanly", fault);
        }
    }

    private boolean awaitStopped() throws InterruptedException {
        for (Duration left = limit; left.compareTo(Duration.ZERO) > 0; left = left.minus(REPORT)) {
            Duration turn = left.compareTo(REPORT) < 0 ? left : REPORT;
            if (framework.waitForStop(turn.toMillis()).getType() != FrameworkEvent.WAIT_TIMEDOUT) {
                return true;
            }
            LOGGER.info("still stopping: bundles={}", stopping());
        }
        return false;
    }

    /** Whether a role has opened its doors: what such a node has loaded is worth keeping. */
    private boolean isReady() {
        BundleContext context = framework.getBundleContext();
        try {
            return context != null && context.getAllServiceReferences(READY, null) != null;
        } catch (InvalidSyntaxException fault) {
            throw new IllegalStateException(fault);
        }
    }

    private List<String> stopping() {
        BundleContext context = framework.getBundleContext();
        if (context == null) {
            return List.of();
        }
        return Stream.of(context.getBundles())
                .filter(bundle -> bundle.getState() == Bundle.STOPPING && bundle.getBundleId() != 0)
                .map(Bundle::getSymbolicName)
                .toList();
    }
}
