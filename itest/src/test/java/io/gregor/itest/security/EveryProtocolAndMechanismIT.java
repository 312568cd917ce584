package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka's clients over every security protocol and mechanism: who is let in is who he says he is, and nobody else is. */
class EveryProtocolAndMechanismIT {
    private static final List<String> VALUES = List.of("1", "2", "3");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String GROUP = "readers";
    private static final String FORBIDDEN = "of-nobody";

    @TempDir
    private static Path home;

    private static SecuredNode node;
    private static int mutualPort;

    @BeforeAll
    static void start() throws Exception {
        node = SecuredNode.startWithAuthorizer(home, "group.initial.rebalance.delay.ms=0")
                .addScramUsers();
        mutualPort = GregorProcess.freePort();
        shell("listener:add MUTUAL 127.0.0.1:" + mutualPort + " --protocol SSL --set ssl.client.auth=required");
        try (Admin admin = Admin.create(node.clients())) {
            admin.createTopics(Stream.of("alice", "certificate", "nobody")
                            .map(owner -> new NewTopic("of-" + owner, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
            List<AclBinding> acls = new ArrayList<>();
            for (String principal : List.of("User:alice", "User:CN=alice")) {
                acls.add(allow(
                        principal, ResourceType.TOPIC, principal.equals("User:alice") ? "of-alice" : "of-certificate"));
                acls.add(allow(principal, ResourceType.GROUP, GROUP));
            }
            admin.createAcls(acls).all().get();
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static AclBinding allow(String principal, ResourceType type, String name) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry(principal, "*", AclOperation.ALL, AclPermissionType.ALLOW));
    }

    /**
     * How a client comes in.
     *
     * @param listener where
     * @param how what tells who it is
     * @param principal who it is then
     */
    record Login(String listener, String how, String principal, Map<String, Object> settings) {
        @Override
        public String toString() {
            return listener + " " + how;
        }
    }

    static List<Login> logins() {
        List<Login> logins = new ArrayList<>();
        TestKey alice = TestCertificates.client("alice");
        logins.add(new Login("SSL", "without certificate", "User:ANONYMOUS", node.clients(SecurityProtocol.SSL)));
        logins.add(new Login("SSL", "with certificate", "User:CN=alice", node.clients(alice)));
        logins.add(new Login("MUTUAL", "with certificate", "User:CN=alice", mutual(node.clients(alice))));
        for (SecurityProtocol protocol : List.of(SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL)) {
            for (String mechanism : SecuredNode.MECHANISMS) {
                logins.add(
                        new Login(protocol.name, mechanism, "User:alice", node.clients(protocol, mechanism, "alice")));
            }
        }
        return logins;
    }

    private static Map<String, Object> mutual(Map<String, Object> settings) {
        Map<String, Object> changed = new HashMap<>(settings);
        changed.put("bootstrap.servers", "127.0.0.1:" + mutualPort);
        return changed;
    }

    @ParameterizedTest
    @MethodSource("logins")
    void whoIsLetInIsWhoHeSaysHeIs(Login login) throws Exception {
        boolean isAnybody = login.principal().equals("User:ANONYMOUS");
        String topic = login.principal().contains("=") ? "of-certificate" : "of-alice";
        List<String> values = VALUES.stream().map(value -> login + " " + value).toList();
        try (KafkaProducer<String, String> producer = producer(login.settings());
                KafkaConsumer<String, String> consumer = consumer(login.settings())) {
            consumer.subscribe(List.of(topic));
            for (String value : values) {
                producer.send(new ProducerRecord<>(topic, value)).get();
            }

            assertThat(read(consumer, login.toString())).isEqualTo(values);
            consumer.commitSync();

            await().atMost(LIMIT).untilAsserted(() -> assertThat(shell("connection:list listener=" + login.listener())
                            .lines()
                            .skip(1))
                    .isNotEmpty()
                    .allMatch(line -> line.contains(" " + login.principal() + " ")));
            if (!isAnybody) {
                assertThatThrownBy(() -> producer.send(new ProducerRecord<>(FORBIDDEN, "x"))
                                .get())
                        .hasCauseInstanceOf(TopicAuthorizationException.class);
            }
        }
    }

    /**
     * Who is not to be let in.
     *
     * @param expected what the client gets
     */
    record Stranger(String who, Class<? extends AuthenticationException> expected, Map<String, Object> settings) {
        @Override
        public String toString() {
            return who;
        }
    }

    static List<Stranger> strangers() {
        List<Stranger> strangers = new ArrayList<>();
        for (SecurityProtocol protocol : List.of(SecurityProtocol.SASL_PLAINTEXT, SecurityProtocol.SASL_SSL)) {
            for (String mechanism : SecuredNode.MECHANISMS) {
                strangers.add(sasl(
                        protocol + " " + mechanism + " wrong password",
                        node.clients(protocol, mechanism, "alice", "bob-secret")));
            }
            for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256")) {
                strangers.add(sasl(
                        protocol + " " + mechanism + " unknown user",
                        node.clients(protocol, mechanism, "mallory", "alice-secret")));
            }
        }
        strangers.add(tls("no certificate", mutual(node.clients(SecurityProtocol.SSL))));
        strangers.add(tls(
                "certificate of another authority",
                mutual(node.clients(TestCertificates.clientOfOtherAuthority("alice")))));
        strangers.add(tls("expired certificate", mutual(node.clients(TestCertificates.expiredClient("alice")))));
        Map<String, Object> distrustful = node.clients(SecurityProtocol.SSL);
        distrustful.put("ssl.truststore.certificates", TestStores.pem(TestCertificates.otherAuthority()));
        strangers.add(tls("does not trust the node", distrustful));
        return strangers;
    }

    private static Stranger sasl(String who, Map<String, Object> settings) {
        return new Stranger(who, SaslAuthenticationException.class, settings);
    }

    private static Stranger tls(String who, Map<String, Object> settings) {
        return new Stranger(who, SslAuthenticationException.class, settings);
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void strangersAreToldSoAtOnce(Stranger stranger) {
        try (Admin admin = Admin.create(stranger.settings())) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(stranger.expected());
        }
    }

    private static KafkaProducer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("acks", "all");
        all.put("enable.idempotence", true);
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("group.id", GROUP);
        all.put("auto.offset.reset", "earliest");
        all.put("enable.auto.commit", false);
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }

    /** What was written with such a beginning. */
    private static List<String> read(KafkaConsumer<String, String> consumer, String beginning) {
        List<String> values = new ArrayList<>();
        await().atMost(LIMIT).until(() -> {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                if (record.value().startsWith(beginning)) {
                    values.add(record.value());
                }
            });
            return values.size() >= VALUES.size();
        });
        return values;
    }

    private static String shell(String command) {
        GregorProcess.Finished finished = ShellSocket.call(home, command);
        assertThat(finished.status()).as("%s: %s", command, finished.output()).isZero();
        return finished.output();
    }
}
