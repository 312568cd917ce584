package io.gregor.transport.internal;

import io.gregor.internal.node.EngineThread;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which the connections of one listener have their handshakes worked out, or wait for somebody to look them
 * up. Shared: any thread. They start when there is work, at most as many as there are cores and at least two, and end when
 * there was none for a while. The queue is bounded by the connections: each has one step at a time. Listeners do not share
 * them: a directory of users that does not answer holds up the clients of its listener only.
 */
final class SideThreads implements Executor {
    private static final int LEAST = 2;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;

    /** No thread yet; their names are this and a number. */
    SideThreads(String prefix) {
        int most = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
        pool = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                EngineThread.daemons(prefix),
                new ThreadPoolExecutor.DiscardPolicy()); // after close: the connections are gone, or about to
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable step) {
        pool.execute(step);
    }

    /** How many steps wait for a thread. */
    int waiting() {
        return pool.getQueue().size();
    }

    /** Runs nothing more, and interrupts what runs. */
    void close() {
        pool.shutdownNow();
    }
}
