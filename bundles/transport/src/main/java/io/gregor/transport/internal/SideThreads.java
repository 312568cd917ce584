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
                (late, closed) -> closeNow(late));
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable step) {
        pool.execute(step);
    }

    /** The connections are gone, or about to: no step is begun any more, and those that run are interrupted. */
    void close() {
        pool.shutdownNow().forEach(SideThreads::closeNow);
    }

    /** What is to be closed is, though there are no threads any more. */
    private static void closeNow(Runnable late) {
        if (!(late instanceof SideStep)) {
            late.run();
        }
    }
}
