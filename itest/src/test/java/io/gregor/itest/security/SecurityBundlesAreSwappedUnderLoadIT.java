package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.NodeJmx;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import io.gregor.itest.plugins.RebuiltBundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TLS and SASL are replaced by jars in {@code deploy/} and come back while clients are served: connections keep what made them,
 * new ones get what is there, and what nobody lives on is gone.
 */
class SecurityBundlesAreSwappedUnderLoadIT {
    private static final int BUSY = 12;
    private static final int SWAPS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final List<String> BUNDLES = List.of("security-tls", "security-sasl");
    private static final String TOPIC = "sessions";

    @TempDir
    private static Path home;

    private static SecuredNode node;
    private static NodeJmx jmx;

    @BeforeAll
    static void start() throws Exception {
        node = SecuredNode.start(home, "listener.name.sasl_ssl.scram-sha-512.connections.max.reauth.ms=1500")
                .addScramUsers();
        Load.createTopics(node.process());
        jmx = NodeJmx.attach(node.process());
    }

    @AfterAll
    static void stop() throws Exception {
        jmx.close();
        node.close();
    }

    @Test
    void sideBySideAndAway() throws Exception {
        List<String> threads = jmx.threads("gregor-certificates");
        try (Load overTls = load(SecurityProtocol.SSL);
                Load both = load(SecurityProtocol.SASL_SSL);
                Sessions sessions = new Sessions()) {
            for (int i = 1; i <= SWAPS; i++) {
                String version = "9.0." + i;
                overTls.during("TLS and SASL to " + version, () -> swapTo(version));
                assertServes();
                sessions.authenticateAgain();
            }
            awaitVersions("0.1.0", "9.0." + SWAPS);
            assertThat(shell("certificate:list listener=SSL store=key alias=key")
                            .lines())
                    .as("title, one certificate")
                    .hasSize(2);

            Load late = load(SecurityProtocol.SASL_SSL);
            both.during("both are taken away", SecurityBundlesAreSwappedUnderLoadIT::takeAway);
            assertServes();
            sessions.authenticateAgain();
            late.during("connections of what is away", () -> {});
            assertThat(versions("security-tls")).contains("9.0." + SWAPS);
            late.finish();
            late.close();
            both.finish();
            overTls.finish();
            sessions.finish();
        }
        awaitVersions("0.1.0");
        awaitBeans();
        assertThat(jmx.threads("gregor-certificates")).isEqualTo(threads).hasSize(1);
        assertThat(node.process().logText()).doesNotContain(" ERROR ").doesNotContain("MBean could not");
    }

    @Test
    void whatTheDistributionHasSleepsWhileNobodyLivesOnIt() throws Exception {
        swapTo("9.1.0");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(lines("security-tls"))
                .hasSize(2)
                .anyMatch(line -> line.contains("Resolved") && line.contains("0.1.0"))
                .anyMatch(line -> line.contains("Active") && line.contains("9.1.0")));
        assertServes();
        awaitBeans();

        takeAway();
        awaitVersions("0.1.0");
        assertServes();
        awaitBeans();
        assertThat(jmx.threads("gregor-certificates")).hasSize(1);
    }

    private static void awaitBeans() {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(jmx.values("io.gregor:type=Certificates,*", "listener"))
                .containsExactlyInAnyOrder("SASL_SSL", "SSL"));
    }

    private static Load load(SecurityProtocol protocol) throws Exception {
        return Load.start(node.port(protocol), clients(protocol), BUSY, 5);
    }

    private static Map<String, Object> clients(SecurityProtocol protocol) {
        return protocol == SecurityProtocol.SSL ? node.clients(protocol) : node.clients(protocol, "PLAIN", "alice");
    }

    private static void assertServes() throws Exception {
        for (SecurityProtocol protocol : List.of(SecurityProtocol.SSL, SecurityProtocol.SASL_SSL)) {
            try (Load load = Load.start(node.port(protocol), clients(protocol), 2, 0)) {
                load.during("new connections on " + protocol, () -> {});
                load.finish();
            }
        }
    }

    /** The new jars beside the former ones, then those away. */
    private static void swapTo(String version) throws Exception {
        for (String bundle : BUNDLES) {
            List<Path> former = jars(bundle);
            RebuiltBundle.of(bundle, "io.gregor." + bundle, 0).drop(deploy(), bundle + "-" + version + ".jar", version);
            awaitNewConnections(bundle, version);
            for (Path jar : former) {
                Files.delete(jar);
            }
        }
    }

    private static void takeAway() throws Exception {
        for (String bundle : BUNDLES) {
            for (Path jar : jars(bundle)) {
                Files.delete(jar);
            }
            await().atMost(LIMIT).until(() -> shell("plugin:list")
                    .lines()
                    .noneMatch(line -> line.contains(bundle) && line.contains(" live ")));
        }
    }

    private static void awaitNewConnections(String bundle, String version) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> assertThat(
                        shell("plugin:list").lines())
                .anyMatch(line -> line.contains(bundle) && line.contains(version) && line.contains(" live ")));
    }

    private static void awaitVersions(String... versions) {
        await().atMost(LIMIT).untilAsserted(() -> {
            for (String bundle : BUNDLES) {
                assertThat(versions(bundle)).containsExactlyInAnyOrder(versions);
            }
        });
    }

    private static List<String> versions(String bundle) {
        return lines(bundle).stream()
                .map(line -> line.replaceAll(".*\\(([0-9.]+?)(\\.SNAPSHOT)?\\).*|.*\\|(.*)", "$1"))
                .toList();
    }

    private static List<String> lines(String bundle) {
        return shell("felix:lb -s")
                .lines()
                .filter(line -> line.contains(bundle))
                .toList();
    }

    private static List<Path> jars(String bundle) throws Exception {
        try (var files = Files.list(deploy())) {
            return files.filter(file -> file.getFileName().toString().startsWith(bundle + "-"))
                    .toList();
        }
    }

    private static Path deploy() {
        return home.resolve("deploy");
    }

    private static String shell(String command) {
        return ShellSocket.call(home, command).output();
    }

    /** A producer whose session ends again and again. Owned by the test thread. */
    private static final class Sessions implements AutoCloseable {
        private final KafkaProducer<Integer, Integer> producer = new KafkaProducer<>(
                node.clients(SecurityProtocol.SASL_SSL, "SCRAM-SHA-512", "alice"),
                new IntegerSerializer(),
                new IntegerSerializer());
        private final List<Future<RecordMetadata>> sent = new ArrayList<>();

        Sessions() throws Exception {
            send();
        }

        private void send() throws Exception {
            sent.add(producer.send(new ProducerRecord<>(TOPIC, sent.size())));
            sent.get(sent.size() - 1).get();
        }

        /** Sends until it has authenticated again. */
        void authenticateAgain() throws Exception {
            double before = figure("successful-reauthentication-total");
            long deadlineNs = System.nanoTime() + LIMIT.toNanos();
            while (figure("successful-reauthentication-total") == before) {
                assertThat(System.nanoTime()).isLessThan(deadlineNs);
                send();
            }
            send();
        }

        void finish() {
            assertThat(figure("connection-close-total")).isZero();
            assertThat(figure("failed-reauthentication-total")).isZero();
            assertThat(figure("record-retry-total")).isZero();
        }

        private double figure(String name) {
            return producer.metrics().values().stream()
                    .filter(metric -> metric.metricName().name().equals(name))
                    .filter(metric -> metric.metricName().group().equals("producer-metrics"))
                    .mapToDouble(metric -> (double) metric.metricValue())
                    .sum();
        }

        @Override
        public void close() {
            producer.close();
        }
    }
}
