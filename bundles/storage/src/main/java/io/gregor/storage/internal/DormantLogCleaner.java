package io.gregor.storage.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.LogCleaner;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log cleaner that has neither threads nor buffers until a compacted log has something to clean: the buffers are
 * {@code log.cleaner.dedupe.buffer.size} bytes (128 MB), which most nodes never need. Until then one task looks at the logs
 * as often as a cleaner thread would have ({@code log.cleaner.backoff.ms}). Shared: any thread; see {@code startup}.
 *
 * <pre>
 *   made ──▶ dormant ──▶ awake
 *     └─────────┴──────────┴───▶ stopped
 * </pre>
 */
public final class DormantLogCleaner extends LogCleaner {
    private static final Logger LOGGER = LoggerFactory.getLogger(DormantLogCleaner.class);

    private final Scheduler scheduler;
    private final Supplier<List<TopicPartition>> moving;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private State state = State.MADE;

    @GuardedBy("lock")
    private @Nullable ScheduledFuture<?> lookout;

    private enum State {
        MADE,
        DORMANT,
        AWAKE,
        STOPPED
    }

    /**
     * A cleaner of these logs that is not started.
     *
     * @param scheduler whose threads look whether there is work
     * @param moving the partitions whose logs must not be cleaned from the start on, until somebody resumes it: what is cleaned
     *     away in the log while its copy is behind would stay in the copy
     */
    public DormantLogCleaner(
            CleanerConfig config,
            List<File> directories,
            ConcurrentMap<TopicPartition, UnifiedLog> logs,
            LogDirFailureChannel failures,
            Time time,
            Scheduler scheduler,
            Supplier<List<TopicPartition>> moving) {
        super(config, directories, logs, failures, time);
        this.scheduler = scheduler;
        this.moving = moving;
    }

    /** Begins to look for work; a changed configuration comes here too, and starts new threads if there were some. */
    @Override
    public void startup() {
        synchronized (lock) {
            switch (state) {
                case MADE -> {
                    moving.get().forEach(this::abortAndPauseCleaning);
                    state = State.DORMANT;
                    look();
                }
                case DORMANT -> look();
                case AWAKE -> super.startup();
                case STOPPED -> LOGGER.debug("log cleaner is stopped already");
            }
        }
    }

    /** Goes on with other settings: as it was, dormant or with threads. */
    @Override
    public void reconfigure(CleanerConfig before, CleanerConfig after) {
        synchronized (lock) {
            super.reconfigure(before, after);
        }
    }

    @Override
    public void shutdown() {
        synchronized (lock) {
            state = State.STOPPED;
            stopLooking();
        }
        super.shutdown();
    }

    /** Starts the cleaner threads if a log needs them. */
    void wakeIfNeeded() {
        synchronized (lock) {
            if (state != State.DORMANT || !hasWork()) {
                return;
            }
            state = State.AWAKE;
            stopLooking();
            LOGGER.info("log cleaner wakes up: a compacted log has segments to clean");
            super.startup();
        }
    }

    /** Whether there are cleaner threads. */
    boolean isAwake() {
        synchronized (lock) {
            return state == State.AWAKE;
        }
    }

    @GuardedBy("lock")
    private void look() {
        stopLooking();
        lookout = scheduler.schedule("log-cleaner-lookout", this::wakeIfNeeded, 0, currentConfig().backoffMs);
    }

    @GuardedBy("lock")
    private void stopLooking() {
        if (lookout != null) {
            lookout.cancel(false);
            lookout = null;
        }
    }

    /** The active segment is never cleaned; retention of compacted logs, which is the cleaner's work too, may roll it. */
    private boolean hasWork() {
        for (UnifiedLog log : logs().values()) {
            LogConfig config = log.config();
            if (config.compact && (log.numberOfSegments() > 1 || (config.delete && log.size() > 0))) {
                return true;
            }
        }
        return false;
    }
}
