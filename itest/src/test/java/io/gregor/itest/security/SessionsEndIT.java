package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over SASL end (KIP-368): who authenticates again in time goes on as if nothing was, all others are cut off. */
class SessionsEndIT {
    private static final long SESSION_MS = 2_500;
    private static final int REAUTHENTICATIONS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private static Path home;

    private static SecuredNode node;

    @BeforeAll
    static void start() throws Exception {
        node = SecuredNode.start(home, "listener.name.sasl_plaintext.connections.max.reauth.ms=" + SESSION_MS)
                .addScramUsers();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void whoDoesNotAuthenticateAgainIsCutOff() throws Exception {
        try (SaslWire wire = SaslWire.connect(node.port(SecurityProtocol.SASL_PLAINTEXT))) {
            SaslAuthenticateResponse answer = wire.login("alice", "alice-secret");
            assertThat(answer.error()).isEqualTo(Errors.NONE);
            assertThat(answer.sessionLifetimeMs()).isEqualTo(SESSION_MS);
            long beganNs = System.nanoTime();
            assertThat(wire.isServed()).isTrue();
            await().atMost(LIMIT).until(() -> System.nanoTime() - beganNs > (SESSION_MS + 200) * 1_000_000);
            wire.client().send(SaslWire.metadataRequest(), 4);
            assertThat(wire.client().isClosedByPeer()).isTrue();
        }
    }

    @Test
    void whoDoesKeepsOrderAndMissesNothing() throws Exception {
        List<CompletableFuture<Integer>> producers = new ArrayList<>();
        List<String> mechanisms = List.of("PLAIN", "SCRAM-SHA-512");
        for (String mechanism : mechanisms) {
            producers.add(Background.supply(() -> produce(mechanism)));
        }
        for (int index = 0; index < mechanisms.size(); index++) {
            int sent = producers.get(index).get();
            assertThat(consumed(mechanisms.get(index), sent))
                    .isEqualTo(IntStream.range(0, sent).boxed().toList());
        }
    }

    @Test
    void aRemovedUserCannotAuthenticateAgain() throws Exception {
        try (Admin admin = Admin.create(node.clients());
                Admin bob = Admin.create(node.clients(SecurityProtocol.SASL_PLAINTEXT, "SCRAM-SHA-256", "bob"))) {
            bob.describeCluster().nodes().get();
            admin.alterUserScramCredentials(
                            List.of(new UserScramCredentialDeletion("bob", ScramMechanism.SCRAM_SHA_256)))
                    .all()
                    .get();
            bob.describeCluster().nodes().get(); // the session goes on
            await().atMost(LIMIT).until(() -> refusal(bob) instanceof SaslAuthenticationException);
        }
    }

    private static Throwable refusal(Admin client) throws InterruptedException {
        try {
            client.describeCluster().nodes().get();
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Sends numbers until the client has authenticated again so many times; returns how many were sent. */
    private static int produce(String mechanism) {
        int sent = 0;
        try (KafkaProducer<Integer, Integer> producer = producer(mechanism)) {
            List<Future<RecordMetadata>> all = new ArrayList<>();
            long deadlineNs = System.nanoTime() + LIMIT.toNanos();
            while (reauthentications(producer) < REAUTHENTICATIONS) {
                assertThat(System.nanoTime()).isLessThan(deadlineNs);
                for (int batch = 0; batch < 50; batch++) {
                    all.add(producer.send(new ProducerRecord<>(mechanism, sent++)));
                }
                all.get(all.size() - 1).get();
            }
            for (Future<RecordMetadata> one : all) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(mechanism, e);
        }
        return sent;
    }

    private static List<Integer> consumed(String topic, int count) {
        Map<String, Object> settings = new HashMap<>(node.clients());
        List<Integer> values = new ArrayList<>();
        try (KafkaConsumer<Integer, Integer> consumer =
                new KafkaConsumer<>(settings, new IntegerDeserializer(), new IntegerDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            await().atMost(LIMIT).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
                return values.size() >= count;
            });
        }
        return values;
    }

    private static KafkaProducer<Integer, Integer> producer(String mechanism) {
        Map<String, Object> settings = node.clients(SecurityProtocol.SASL_PLAINTEXT, mechanism, "alice");
        return new KafkaProducer<>(settings, new IntegerSerializer(), new IntegerSerializer());
    }

    private static double reauthentications(KafkaProducer<Integer, Integer> producer) {
        return producer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("successful-reauthentication-total"))
                .mapToDouble(metric -> (double) metric.metricValue())
                .max()
                .orElse(0);
    }
}
