package io.gregor.security.tls.internal;

import io.gregor.internal.node.EngineThread;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that reads stores: {@code gregor-certificates}, made with the first listener. Shared: any thread. */
public final class StoreThread {
    private static final Logger LOGGER = LoggerFactory.getLogger(StoreThread.class);

    private final ScheduledExecutorService executor =
            Executors.newSingleThreadScheduledExecutor(work -> EngineThread.daemon("gregor-certificates", work));

    /** Has it look at something again and again, from now on. */
    public void every(long intervalMs, Runnable look) {
        Future<?> unused =
                executor.scheduleWithFixedDelay(() -> guarded(look), intervalMs, intervalMs, TimeUnit.MILLISECONDS);
    }

    private static void guarded(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | LinkageError e) {
            LOGGER.error("could not look at the certificates of listeners", e);
        }
    }

    /** Has it do something some time, unless it has ended. */
    public void later(Runnable work) {
        try {
            executor.execute(work);
        } catch (RejectedExecutionException ended) {
            LOGGER.debug("the thread of the certificates has ended");
        }
    }

    /**
     * Has it do something with the caller's class loader, and waits.
     *
     * @throws IllegalStateException if it has ended, or the caller is interrupted
     */
    public <T> T call(Supplier<T> work) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            Future<T> result = executor.submit(() -> EngineThread.call(loader, work));
            return result.get();
        } catch (RejectedExecutionException ended) {
            throw new IllegalStateException("the bundle security-tls is not active any more", ended);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while certificates were read", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException fault) {
                throw fault;
            }
            throw new IllegalStateException("certificates could not be read: " + e.getCause(), e.getCause());
        }
    }

    /** Ends it when it has done what it does just now. */
    public void close() {
        executor.shutdownNow();
    }
}
