package io.gregor.transport.internal;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.metrics.QuotaViolationException;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.Rate;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.network.ConnectionQuotaEntity;
import org.apache.kafka.server.quota.QuotaUtils;

/**
 * How fast connections may come: to the role and to a listener ({@code max.connection.creation.rate}), from one address (a
 * client quota of the entity type {@code ip}). Kafka's sensors and Kafka's arithmetic. Shared: any thread; asked when a
 * connection comes, never per request.
 */
public final class CreationRates {
    private final Metrics metrics;
    private final Time time;
    private final MetricScope scope;
    private final Window window;
    private final BoundedRate ofRole;
    private volatile AddressRates addressRates = AddressRates.NONE;

    /** {@code quota.window.num} windows of {@code quota.window.size.seconds}. Immutable. */
    public record Window(int count, int seconds) {}

    /** Nothing is limited yet. */
    public CreationRates(Metrics metrics, Time time, MetricScope scope, Window window) {
        this.metrics = metrics;
        this.time = time;
        this.scope = scope;
        this.window = window;
        this.ofRole = rate(ConnectionQuotaEntity.brokerQuotaEntity(), Integer.MAX_VALUE);
    }

    /** Changes the rate of the role. */
    void ofRole(int perSecond) {
        ofRole.bound(perSecond);
    }

    /** Changes the rates of addresses. */
    public void ofAddresses(AddressRates rates) {
        addressRates = rates;
    }

    /** Adds a listener with a rate of its own. */
    OfListener addListener(String listener, int perSecond) {
        return new OfListener(listener, perSecond);
    }

    /** Takes the metrics away. */
    public void close() {
        ofRole.close();
    }

    /** The rate of one listener. Shared: any thread. */
    final class OfListener {
        private final BoundedRate ofListener;
        private final Sensor throttle;
        private final Sensor addressThrottle;

        private OfListener(String listener, int perSecond) {
            ofListener = rate(ConnectionQuotaEntity.listenerQuotaEntity(listener), perSecond);
            throttle = throttleTime(ConnectionQuotaEntity.LISTENER_THROTTLE_PREFIX, listener);
            addressThrottle = throttleTime(ConnectionQuotaEntity.IP_THROTTLE_PREFIX, listener);
        }

        void bound(int perSecond) {
            ofListener.bound(perSecond);
        }

        /**
         * Counts an accepted connection.
         *
         * @param isProtected whether the rate of the role does not concern the listener
         * @return for how many milliseconds no other may be accepted
         */
        long count(boolean isProtected) {
            long nowMs = time.milliseconds();
            long waitMs = isProtected ? 0 : ofRole.count(nowMs);
            waitMs = Math.max(waitMs, ofListener.count(nowMs));
            if (waitMs > 0) {
                throttle.record((double) waitMs, nowMs);
            }
            return waitMs;
        }

        /**
         * Counts an accepted connection for its address; if that is too fast, it counts nowhere.
         *
         * @return for how many milliseconds the client has to wait before it is closed, 0 if it is let in
         */
        long countAddress(InetAddress address, boolean isProtected) {
            int perSecond = addressRates.of(address);
            if (perSecond == AddressRates.UNLIMITED) {
                return 0;
            }
            long nowMs = time.milliseconds();
            BoundedRate ofAddress = rate(ConnectionQuotaEntity.ipQuotaEntity(address), perSecond);
            ofAddress.bound(perSecond);
            long waitMs = ofAddress.count(nowMs);
            if (waitMs > 0) {
                ofAddress.uncount(nowMs);
                ofListener.uncount(nowMs);
                if (!isProtected) {
                    ofRole.uncount(nowMs);
                }
                addressThrottle.record((double) waitMs, nowMs);
            }
            return waitMs;
        }

        /** Takes the metrics away. */
        void close() {
            ofListener.close();
            metrics.removeSensor(throttle.name());
            metrics.removeSensor(addressThrottle.name());
        }

        private Sensor throttleTime(String prefix, String listener) {
            Sensor sensor = metrics.sensor(prefix + "ConnectionRateThrottleTime-" + listener);
            sensor.add(
                    metrics.metricName(
                            prefix + "connection-accept-throttle-time",
                            NetworkMetrics.GROUP,
                            "Average time for which connections had to wait, of those that had to (milliseconds)",
                            Map.of(NetworkMetrics.LISTENER, listener)),
                    new Avg());
            return sensor;
        }
    }

    /** Kafka's rate of one entity, with a bound. Shared: any thread. */
    private final class BoundedRate {
        private final Sensor sensor;
        private final KafkaMetric metric;

        BoundedRate(Sensor sensor, KafkaMetric metric) {
            this.sensor = sensor;
            this.metric = metric;
        }

        void bound(int perSecond) {
            if (metric.config().quota().bound() != perSecond) {
                metric.config(config(perSecond));
            }
        }

        long count(long nowMs) {
            try {
                sensor.record(1, nowMs);
                return 0;
            } catch (QuotaViolationException e) {
                return QuotaUtils.boundedThrottleTime(e, TimeUnit.SECONDS.toMillis(window.seconds()), nowMs);
            }
        }

        void uncount(long nowMs) {
            sensor.record(-1, nowMs, false);
        }

        void close() {
            metrics.removeSensor(sensor.name());
        }
    }

    private BoundedRate rate(ConnectionQuotaEntity entity, int perSecond) {
        boolean isOfListener = entity.metricTags().containsKey(NetworkMetrics.LISTENER);
        MetricName name = metrics.metricName(
                entity.metricName(),
                NetworkMetrics.GROUP,
                "Rate of accepting new connections (per second)",
                isOfListener ? entity.metricTags() : scope.tags(entity.metricTags()));
        Sensor sensor = metrics.sensor(
                isOfListener ? entity.sensorName() : scope.sensor(entity.sensorName()),
                config(perSecond),
                entity.sensorExpiration());
        sensor.add(name, new Rate());
        return new BoundedRate(sensor, metrics.metric(name));
    }

    private MetricConfig config(int perSecond) {
        return new MetricConfig()
                .timeWindow(window.seconds(), TimeUnit.SECONDS)
                .samples(window.count())
                .quota(new Quota(perSecond, true));
    }
}
