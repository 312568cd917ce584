package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ClientInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FactCountsTest {
    private static final ClientInformation JAVA = new ClientInformation("apache-kafka-java", "4.4.0");
    private static final ClientInformation RUST = new ClientInformation("rust", "1");
    private static final long SECOND_NS = 1_000_000_000L;

    private final Metrics metrics = new Metrics();
    private final FactCounts<ClientInformation> counts =
            new FactCounts<>(metrics, Map.of("listener", "CLIENTS"), FactCounts.Kind.CLIENT);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void showsEachSoftwareWithItsConnections() {
        counts.came(JAVA, 0);
        counts.came(JAVA, 0);
        counts.came(RUST, 0);
        counts.went(JAVA, 0);

        assertThat(shown()).isEqualTo(Map.of("apache-kafka-java", 1, "rust", 1));
        counts.close();
        assertThat(shown()).isEmpty();
    }

    @Test
    void forgetsASoftwareAWhileAfterItsLastConnection() {
        counts.came(JAVA, 0);
        counts.came(RUST, 0);
        counts.went(JAVA, 10 * SECOND_NS);
        assertThat(counts.nextCheckNs()).isEqualTo(70 * SECOND_NS);

        counts.removeGone(69 * SECOND_NS);
        assertThat(shown()).containsEntry("apache-kafka-java", 0);
        counts.removeGone(70 * SECOND_NS);

        assertThat(shown()).containsOnlyKeys("rust");
        assertThat(counts.nextCheckNs()).isEqualTo(IdleWheel.NEVER);
    }

    @Test
    void keepsASoftwareThatComesBackInTime() {
        counts.came(JAVA, 0);
        counts.went(JAVA, 10 * SECOND_NS);
        counts.came(JAVA, 20 * SECOND_NS);

        counts.removeGone(70 * SECOND_NS);

        assertThat(shown()).isEqualTo(Map.of("apache-kafka-java", 1));
        assertThat(counts.nextCheckNs()).isEqualTo(IdleWheel.NEVER);
    }

    @Test
    void boundsTheNumberOfMetricsAndPrefersSoftwareThatIsHere() {
        for (int number = 0; number < 100; number++) {
            counts.came(new ClientInformation("c" + number, "1"), 0);
        }
        counts.came(RUST, 0);
        assertThat(shown()).hasSize(100).doesNotContainKey("rust");
        counts.went(RUST, 0);

        counts.went(new ClientInformation("c7", "1"), 0);
        counts.came(RUST, 1);
        assertThat(shown()).hasSize(100).containsEntry("rust", 1).doesNotContainKey("c7");
    }

    private Map<String, Object> shown() {
        Map<String, Object> shown = new TreeMap<>();
        metrics.metrics().forEach((name, metric) -> {
            if (name.name().equals("connections")) {
                shown.put(name.tags().get("clientSoftwareName"), metric.metricValue());
            }
        });
        return shown;
    }
}
