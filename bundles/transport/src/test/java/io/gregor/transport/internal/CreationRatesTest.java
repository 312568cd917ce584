package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.Metrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CreationRatesTest {
    private static final InetAddress ALICE = Addresses.of(1);
    private static final InetAddress BOB = Addresses.of(2);
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final ManualTime time = new ManualTime();
    private final Metrics metrics = new Metrics(time);
    private final CreationRates rates = rates(false);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void hasTheBacklogWaitOnceTheRateOfTheListenerIsExceeded() {
        CreationRates.OfListener listener = rates.addListener("CLIENTS", 10);
        for (int count = 0; count < 100; count++) {
            assertThat(listener.count(false)).isZero();
        }
        assertThat(listener.count(false)).isPositive().isLessThanOrEqualTo(1_000);
    }

    @Test
    void keepsToTheRateOverTimeForThoseWhoWait() {
        rates.ofRole(50);
        CreationRates.OfListener listener = rates.addListener("CLIENTS", UNLIMITED);
        int accepted = 0;
        for (long endMs = time.milliseconds() + 60_000; time.milliseconds() < endMs; accepted++) {
            time.advanceMs(1 + listener.count(false));
        }
        // at first a burst is let through, as the rate is one over ten seconds
        assertThat(accepted).isBetween(50 * 60, 50 * 71);
    }

    @Test
    void sparesTheInterBrokerListenerTheRateOfTheRole() {
        rates.ofRole(1);
        CreationRates.OfListener brokers = rates.addListener("BROKERS", UNLIMITED);
        CreationRates.OfListener clients = rates.addListener("CLIENTS", UNLIMITED);
        for (int count = 0; count < 100; count++) {
            assertThat(brokers.count(true)).isZero();
        }
        for (int count = 0; count < 10; count++) {
            assertThat(clients.count(false)).isZero();
        }
        assertThat(clients.count(false)).isPositive();
    }

    @Test
    void closesThoseLateWhoseAddressIsTooFastAndNoOthers() {
        rates.ofAddresses(new AddressRates(2, Map.of(BOB, UNLIMITED)));
        CreationRates.OfListener listener = rates.addListener("CLIENTS", UNLIMITED);
        long lateMs = 0;
        int admitted = 0;
        while (lateMs == 0) {
            listener.count(false);
            lateMs = listener.countAddress(ALICE, false);
            admitted += lateMs == 0 ? 1 : 0;
            assertThat(listener.countAddress(BOB, false)).isZero();
        }
        assertThat(admitted).isEqualTo(20);
        assertThat(lateMs).isLessThanOrEqualTo(1_000);
        assertThat(value("connection-accept-rate", "CLIENTS")).isEqualTo(2.0);
        assertThat(value("ip-connection-accept-throttle-time", "CLIENTS")).isEqualTo(lateMs);
        assertThat(value("connection-accept-throttle-time", "CLIENTS")).isNaN();
    }

    @Test
    void takesAnotherRateAtOnce() {
        CreationRates.OfListener listener = rates.addListener("CLIENTS", 1);
        for (int count = 0; count < 50; count++) {
            listener.count(false);
        }
        assertThat(listener.count(false)).isPositive();
        listener.bound(1_000);
        assertThat(listener.count(false)).isZero();

        rates.ofAddresses(new AddressRates(1, Map.of()));
        for (int count = 0; count < 50; count++) {
            listener.countAddress(ALICE, false);
        }
        rates.ofAddresses(new AddressRates(1, Map.of(ALICE, 1_000)));
        assertThat(listener.countAddress(ALICE, false)).isZero();
    }

    @Test
    void showsTheControllersRateBesideTheBrokers() {
        CreationRates ofController = rates(true);
        assertThat(names("broker-connection-accept-rate")).hasSize(2);
        ofController.close();
        rates.addListener("CLIENTS", 1).close();
        rates.close();
        assertThat(names("broker-connection-accept-rate")).isEmpty();
        assertThat(names("connection-accept-rate")).isEmpty();
    }

    private CreationRates rates(boolean isSecond) {
        return new CreationRates(metrics, time, new MetricScope(isSecond), new CreationRates.Window(11, 1));
    }

    private double value(String name, String listener) {
        KafkaMetric metric =
                metrics.metric(metrics.metricName(name, "socket-server-metrics", Map.of("listener", listener)));
        return (double) metric.metricValue();
    }

    private Map<Map<String, String>, KafkaMetric> names(String name) {
        Map<Map<String, String>, KafkaMetric> found = new HashMap<>();
        metrics.metrics().forEach((metricName, metric) -> {
            if (metricName.name().equals(name)) {
                found.put(metricName.tags(), metric);
            }
        });
        return found;
    }
}
