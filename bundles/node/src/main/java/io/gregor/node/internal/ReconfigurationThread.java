package io.gregor.node.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.plugin.PluginClasses;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread on which settings change, turn by turn; it sleeps while there is nothing to do. Its queue is as long as there
 * are callers who wait for an answer. Shared: any thread.
 */
final class ReconfigurationThread implements Reconfiguration.Turns, Executor {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReconfigurationThread.class);
    private static final String NAME = "gregor-reconfiguration";
    private static final long LAST_TURN_LIMIT_MS = 10_000;

    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(1, work -> EngineThread.daemon(NAME, work));
    private final PluginClasses classes;

    /** Values may name the classes of plugins, those that are there at that turn. */
    ReconfigurationThread(PluginClasses classes) {
        this.classes = classes;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void soon(Runnable turn) {
        try {
            executor.execute(guarded(turn));
        } catch (RejectedExecutionException ended) {
            LOGGER.debug("the node stops, a turn is left out", ended);
        }
    }

    @Override
    public void later(long delayMs, Runnable turn) {
        try {
            var unused = executor.schedule(guarded(turn), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            LOGGER.debug("the node stops, a turn is left out", ended);
        }
    }

    /** For what has to be done even if the node stops: on a thread of its own then. */
    @Override
    public void execute(Runnable work) {
        try {
            executor.execute(guarded(work));
        } catch (RejectedExecutionException ended) {
            EngineThread.daemon(NAME + "-end", work).start();
        }
    }

    /** Ends when the turn has been, or will not be since the node stops. */
    CompletableFuture<Void> done(Runnable turn) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                guarded(turn).run();
                done.complete(null);
            });
        } catch (RejectedExecutionException ended) {
            done.complete(null);
        }
        return done;
    }

    /** A fault of one turn is not the end of the others. */
    private Runnable guarded(Runnable turn) {
        return () -> {
            try {
                EngineThread.run(classes.loader(), turn);
            } catch (RuntimeException fault) {
                LOGGER.error("a turn of the reconfiguration thread fails", fault);
            }
        };
    }

    /** Runs one last turn and waits for it, at most some seconds. */
    void close(Runnable last) {
        soon(last);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(LAST_TURN_LIMIT_MS, TimeUnit.MILLISECONDS)) {
                LOGGER.warn("the reconfiguration thread does not end: waitedMs={}", LAST_TURN_LIMIT_MS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
