package io.gregor.replication.internal;

import io.gregor.internal.node.EngineThread;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.server.quota.ReplicaQuota;

/**
 * Copies logs into other directories, a little of each in turn, as fast as the quota allows. Owned by its thread
 * {@code ReplicaAlterLogDirsThread-<n>}, which ends when nothing is left to be moved; moves are added by any thread.
 */
final class ReplicaAlterLogDirsThread {
    /** How long the thread rests when there is nothing to copy or the quota is used up; ended by {@link #wakeUp}. */
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final CopyBuffer buffer = new CopyBuffer();
    private final Collection<DirectoryMove> moves = new ConcurrentLinkedQueue<>();
    private final ReplicaQuota quota;
    private final int maxBytes;
    private final Consumer<DirectoryMove> onOver;
    private final FetcherStats stats;
    private final Thread thread;
    private volatile boolean isClosed;
    private boolean hasEnded;

    /** Not started; tells on its own thread which moves are over. */
    ReplicaAlterLogDirsThread(int number, ReplicaQuota quota, int maxBytes, Consumer<DirectoryMove> onOver) {
        this.quota = quota;
        this.maxBytes = maxBytes;
        this.onOver = onOver;
        String name = "ReplicaAlterLogDirsThread-" + number;
        this.stats = new FetcherStats(name);
        this.thread = EngineThread.daemon(name, this::run);
    }

    /** Takes a move on; false if the thread has ended, so that it needs another one. */
    synchronized boolean add(DirectoryMove move) {
        if (hasEnded || isClosed) {
            return false;
        }
        moves.add(move);
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
        wakeUp();
        return true;
    }

    void wakeUp() {
        LockSupport.unpark(thread);
    }

    /** Whether it works, or will. */
    synchronized boolean isAlive() {
        return !hasEnded && !isClosed;
    }

    /** Reads a second. */
    double requestRate() {
        return stats.requestRate();
    }

    private void run() {
        while (!isClosed && !endIfIdle()) {
            if (!advanceAll()) {
                LockSupport.parkNanos(this, REST_NS);
            }
        }
    }

    private synchronized boolean endIfIdle() {
        moves.removeIf(DirectoryMove::isOver);
        hasEnded = moves.isEmpty();
        if (hasEnded) {
            stats.close();
        }
        return hasEnded;
    }

    /** Whether something was copied. */
    private boolean advanceAll() {
        boolean hasCopied = false;
        for (DirectoryMove move : moves) {
            if (isClosed || (quota.isQuotaExceeded() && move.lag() > 0)) {
                continue;
            }
            int copied = move.advance(buffer, maxBytes, this::wakeUp);
            if (move.isOver()) {
                onOver.accept(move);
            }
            if (copied > 0) {
                quota.record(copied);
                stats.read(copied);
                hasCopied = true;
            }
        }
        return hasCopied;
    }

    /** Ends the thread, and waits until it has; the moves stay where they are. */
    void close() {
        isClosed = true;
        wakeUp();
        stats.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
