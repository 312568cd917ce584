package io.gregor.share.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.share.metrics.SharePartitionMetrics;

/**
 * Who reads for a share partition: one fetch at a time, as two would read the same records, and one of them for nothing. Nobody waits
 * for it: a fetch that comes second turns to its other partitions, and is told when the first has done. Shared: any
 * thread; the times are the claimant's.
 */
final class Claim {
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private final AtomicBoolean isMissed = new AtomicBoolean();
    private final Time time;
    private final SharePartitionMetrics metrics;
    private long takenMs;
    private long leftMs;

    Claim(Time time, SharePartitionMetrics metrics) {
        this.time = time;
        this.metrics = metrics;
        this.leftMs = time.milliseconds();
    }

    boolean take() {
        if (isTaken.compareAndSet(false, true)) {
            takenMs = time.milliseconds();
            return true;
        }
        isMissed.set(true);
        return !isTaken.get() && take();
    }

    /** Whether somebody came meanwhile, who is to be told. */
    boolean leave() {
        long nowMs = time.milliseconds();
        long heldMs = nowMs - takenMs;
        long allMs = nowMs - leftMs;
        metrics.recordFetchLockTimeMs(heldMs);
        metrics.recordFetchLockRatio(allMs == 0 ? 100 : (int) (heldMs * 100 / allMs));
        leftMs = nowMs;
        isTaken.set(false);
        return isMissed.getAndSet(false);
    }
}
