package io.gregor.quotas.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.quota.QuotaView.HeldRow;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.network.Session;
import org.apache.kafka.server.quota.ClientQuotaManager;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.QuotaType;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.jspecify.annotations.Nullable;

/**
 * Who is held back by one of Kafka's quota managers. Shared: any thread. Kafka's delay queue holds the times; the thread that
 * empties it is ours, in the place of Kafka's, since that one wakes up each second even when nobody is held back. It has
 * Kafka's name, starts with the first client that is held back, and sleeps while there is none.
 */
final class HeldClients implements AutoCloseable {
    private final ClientQuotaManager manager;
    private final String threadName;
    private final Time time;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private final Semaphore queued = new Semaphore(0);
    private volatile boolean isClosed;
    private volatile boolean hasReaper;
    private int reaped;

    @GuardedBy("this")
    private @Nullable Thread reaper;

    private HeldClients(ClientQuotaManager manager, String threadName, Time time) {
        this.manager = manager;
        this.time = time;
        this.threadName = threadName;
    }

    /** Takes the reaper's work over from a manager that has held nobody back yet. */
    static HeldClients of(
            ClientQuotaManager manager, ClientQuotaType type, Metrics metrics, String threadPrefix, Time time) {
        QuotaType kafkaType = kafkaType(type);
        manager.shutdown();
        // Kafka's reaper is woken for its end by an entry that counts as one less in the queue. It takes it, or ends
        // before
        Sensor queueSize = metrics.getSensor(kafkaType + "-delayQueue");
        KafkaMetric queued = metrics.metric(metrics.metricName("queue-size", kafkaType.toString()));
        if (queueSize != null && queued != null) {
            if (queued.metricValue().equals(0.0)) {
                manager.processThrottledChannelReaperDoWork();
            }
            queueSize.record(1);
        }
        return new HeldClients(manager, threadPrefix + "ThrottledChannelReaper-" + kafkaType, time);
    }

    private static QuotaType kafkaType(ClientQuotaType type) {
        return switch (type) {
            case PRODUCE -> QuotaType.PRODUCE;
            case FETCH -> QuotaType.FETCH;
            case REQUEST -> QuotaType.REQUEST;
            case CONTROLLER_MUTATION -> QuotaType.CONTROLLER_MUTATION;
        };
    }

    /** Holds a client back for a time. */
    void hold(KafkaPrincipal user, Session session, String clientId, int throttleTimeMs, ThrottleCallback callback) {
        Held one = new Held(user, clientId, bound(user, clientId), time.hiResClockMs() + throttleTimeMs, callback);
        manager.throttle(clientId, session, one, throttleTimeMs);
        held.add(one);
        if (one.isOver.get()) {
            held.remove(one);
        } else if (isClosed || one.hasMore()) {
            one.end();
        }
        queued.release();
        if (!hasReaper) {
            startReaper();
        }
    }

    /** Adds a row for each that is held back. */
    void addTo(List<HeldRow> rows, ClientQuotaType type) {
        long nowMs = time.hiResClockMs();
        for (Held one : held) {
            rows.add(new HeldRow(type, one.user.getName(), one.clientId, Math.max(0, one.endMs - nowMs)));
        }
    }

    /** Lets those go who have more than when they were caught: their next request is measured by what they have now. */
    void letGo() {
        for (Held one : held) {
            if (one.hasMore()) {
                one.end();
            }
        }
    }

    /** Lets all go. */
    @Override
    public void close() {
        isClosed = true;
        held.forEach(Held::end);
        synchronized (this) {
            if (reaper != null) {
                reaper.interrupt();
            }
        }
    }

    private synchronized void startReaper() {
        if (reaper == null && !isClosed) {
            reaper = EngineThread.daemon(threadName, this::reap);
            reaper.start();
            hasReaper = true;
        }
    }

    /** For each entry of the queue waits until it is due. */
    private void reap() {
        try {
            while (!isClosed) {
                queued.acquire();
                int before = reaped;
                while (reaped == before && !isClosed) {
                    manager.processThrottledChannelReaperDoWork();
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private double bound(KafkaPrincipal user, String clientId) {
        return manager.quota(user, clientId).bound();
    }

    /** One client that is held back, until the reaper or a change lets it go. Shared: any thread. */
    private final class Held implements ThrottleCallback {
        private final KafkaPrincipal user;
        private final String clientId;
        private final double bound;
        private final long endMs;
        private final ThrottleCallback callback;
        private final AtomicBoolean isOver = new AtomicBoolean();

        Held(KafkaPrincipal user, String clientId, double bound, long endMs, ThrottleCallback callback) {
            this.user = user;
            this.clientId = clientId;
            this.bound = bound;
            this.endMs = endMs;
            this.callback = callback;
        }

        boolean hasMore() {
            return bound(user, clientId) > bound;
        }

        @Override
        public void startThrottling() {
            callback.startThrottling();
        }

        /** By the reaper. */
        @Override
        public void endThrottling() {
            reaped++;
            end();
        }

        void end() {
            held.remove(this);
            if (!isOver.getAndSet(true)) {
                callback.endThrottling();
            }
        }
    }
}
