package io.gregor.plugins.internal;

import io.gregor.internal.node.EngineThread;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.framework.BundleException;

/**
 * Calls what is a plugin's own code: it may never return, and is then left to the thread that it is on. Shared: any thread; see
 * {@code interrupt}.
 */
final class PluginCalls {
    /** A plugin's code that starts or stops it in more time than this is taken for lost. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private final Duration limit;
    private final Set<Thread> busy = ConcurrentHashMap.newKeySet();

    /** Waits so long for each call. */
    PluginCalls(Duration limit) {
        this.limit = limit;
    }

    /** A call that did not return in time. */
    static final class Stuck extends Exception {
        private static final long serialVersionUID = 1;

        /** What to do about it. */
        static final String ADVICE = "see where that thread is (jstack), mend the bundle and drop it again";

        Stuck(String text) {
            super(text);
        }

        /** Why, on one line. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Calls it, and waits for it.
     *
     * @param plugin whose code it is
     * @param what is called, as it stands in the reason
     * @throws Stuck if it does not return in time, or the node stops meanwhile
     */
    <T> T call(String plugin, String what, Callable<T> code) throws Stuck, BundleException {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = EngineThread.daemon("gregor-plugin-" + plugin, () -> run(task));
        thread.start();
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new Stuck(what + " does not return: waitedMs=" + limit.toMillis() + " thread=" + thread.getName());
        } catch (InterruptedException stops) {
            Thread.currentThread().interrupt();
            throw new Stuck(what + " has not returned, and the node stops");
        } catch (ExecutionException thrown) {
            throw rethrown(Objects.requireNonNullElse(thrown.getCause(), thrown));
        }
    }

    private void run(Runnable task) {
        Thread own = Thread.currentThread();
        busy.add(own);
        try {
            task.run();
        } finally {
            busy.remove(own);
        }
    }

    /** The node stops: who waits for something in a plugin's code is woken, so that nobody has to wait for that. */
    void interrupt() {
        busy.forEach(Thread::interrupt);
    }

    private static BundleException rethrown(Throwable cause) {
        if (cause instanceof BundleException fault) {
            return fault;
        }
        if (cause instanceof RuntimeException fault) {
            throw fault;
        }
        if (cause instanceof Error fault) {
            throw fault;
        }
        return new BundleException("plugin threw", cause);
    }
}
