package io.gregor.share.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.server.purgatory.DelayedOperationKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is to look again whether its wait is over. A waiting fetch that ends may end another's wait: that one is not woken under the
 * lock of the first, but queued, and woken by the thread that comes to {@link #run} first, which others then do not wait for.
 * Not longer than there are waiting fetches and keys that they wait for. Shared: any thread.
 */
final class Wakes {
    private static final Logger LOGGER = LoggerFactory.getLogger(Wakes.class);

    private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final Consumer<DelayedOperationKey> wake;

    /**
     * @param wake looks at all that wait for a key
     */
    Wakes(Consumer<DelayedOperationKey> wake) {
        this.wake = wake;
    }

    /** Has those who wait for a key woken at the next {@link #run}. Any lock may be held. */
    void add(DelayedOperationKey key) {
        later(() -> wake.accept(key));
    }

    /** The same for other work that is not for the locks that are held now. */
    void later(Runnable work) {
        queue.add(work);
    }

    /** Wakes all that are queued. No lock is held. */
    void run() {
        if (queue.isEmpty() || runs.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            for (Runnable work = queue.poll(); work != null; work = queue.poll()) {
                wake(work);
            }
            seen = runs.addAndGet(-seen);
        } while (seen > 0);
    }

    /** A fault of one is not that of the others, who are still to be woken. */
    private static void wake(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException fault) {
            LOGGER.error("who waits for records of a share partition could not be woken", fault);
        }
    }
}
