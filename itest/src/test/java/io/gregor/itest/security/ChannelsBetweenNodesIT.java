package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.cluster.NodesOfOneCluster;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker apart from its controller: they reach each other over every protocol, while certificates of both change. */
class ChannelsBetweenNodesIT {
    private static final int CONTROLLER = 1;
    private static final int BROKER = 2;
    private static final String OF_CONTROLLER = "listener.name.controller.";

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(names = {"SSL", "SASL_PLAINTEXT", "SASL_SSL"})
    void aBrokerServesAsOneOfItsControllersCluster(SecurityProtocol protocol) throws Exception {
        try (NodesOfOneCluster nodes = NodesOfOneCluster.withVoters(directory, CONTROLLER)) {
            nodes.with(settings(protocol, "controller", TestCertificates.server()));
            GregorProcess controller = nodes.controller(CONTROLLER);
            nodes.with(settings(protocol, "broker", TestCertificates.client("broker")));
            GregorProcess broker = nodes.broker(BROKER).awaitReady();

            try (Admin admin = nodes.admin()) {
                writeAndRead(admin, nodes.client(), "first");
                if (protocol != SecurityProtocol.SASL_PLAINTEXT) {
                    changeCertificates(admin, controller);
                }
                reconnect(controller);
                writeAndRead(admin, nodes.client(), "second");
            }

            assertThat(controller.logText() + broker.logText()).doesNotContain("] ERROR ", "Fencing broker");
        }
    }

    private List<String> settings(SecurityProtocol protocol, String node, TestKey key) {
        List<String> settings = new ArrayList<>(
                List.of("listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:" + protocol.name));
        if (protocol != SecurityProtocol.SASL_PLAINTEXT) {
            settings.add(OF_CONTROLLER + "ssl.client.auth=required");
            settings.add("gregor.ssl.store.check.interval.ms=200");
            settings.addAll(List.of(keyStore(node, key)));
            settings.addAll(List.of(trustStore(node, TestCertificates.authority())));
        }
        if (protocol != SecurityProtocol.SSL) {
            settings.add("sasl.mechanism.controller.protocol=PLAIN");
            settings.add(OF_CONTROLLER + "sasl.enabled.mechanisms=PLAIN");
            settings.add(OF_CONTROLLER + "plain.sasl.jaas.config="
                    + "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + node
                    + "\" password=\"" + node
                    + "-secret\" user_controller=\"controller-secret\" user_broker=\"broker-secret\";");
        }
        return settings;
    }

    private String[] keyStore(String name, TestKey key) {
        return new String[] {
            OF_CONTROLLER + "ssl.keystore.type=PKCS12",
            OF_CONTROLLER + "ssl.keystore.location=" + key.pkcs12(directory.resolve(name + ".p12")),
            OF_CONTROLLER + "ssl.keystore.password=" + TestKey.PASSWORD
        };
    }

    private String[] trustStore(String name, X509Certificate... trusted) {
        return new String[] {
            OF_CONTROLLER + "ssl.truststore.type=PKCS12",
            OF_CONTROLLER + "ssl.truststore.location="
                    + TestStores.trustPkcs12(directory.resolve(name + "-trust.p12"), trusted),
            OF_CONTROLLER + "ssl.truststore.password=" + TestKey.PASSWORD
        };
    }

    /** Both nodes get keys of another authority, after both have come to trust it; the former one is trusted no more then. */
    private void changeCertificates(Admin admin, GregorProcess controller) throws Exception {
        X509Certificate former = TestCertificates.authority();
        X509Certificate next = TestCertificates.otherAuthority();
        trustStore("controller", former, next);
        awaitCertificate(controller, "store=trust", "other-authority");
        set(admin, trustStore("broker-both", former, next));
        set(admin, keyStore("broker-next", TestCertificates.clientOfOtherAuthority("broker")));
        TestCertificates.serverOfOtherAuthority().pkcs12(directory.resolve("controller.p12"));
        awaitCertificate(controller, "store=key", "other-authority");
        reconnect(controller);
        set(admin, trustStore("broker-next", next));
        trustStore("controller", next);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !shell(controller, "certificate:list store=trust").contains("CN=authority"));
    }

    private static void awaitCertificate(GregorProcess node, String filter, String issuer) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> shell(node, "certificate:list " + filter).contains("CN=" + issuer));
    }

    private static void set(Admin admin, String... assignments) throws Exception {
        List<AlterConfigOp> changes = new ArrayList<>();
        for (String assignment : assignments) {
            String[] parts = assignment.split("=", 2);
            changes.add(new AlterConfigOp(new ConfigEntry(parts[0], parts[1]), AlterConfigOp.OpType.SET));
        }
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, String.valueOf(BROKER));
        admin.incrementalAlterConfigs(Map.of(broker, changes)).all().get();
    }

    /** Has the controller close all connections, so that the broker makes new ones. */
    private static void reconnect(GregorProcess controller) {
        Pattern connection =
                Pattern.compile("127\\.0\\.0\\.1:" + controller.controllerPort() + "-127\\.0\\.0\\.1:[-0-9]+");
        List<String> before = connections(controller, connection);
        assertThat(before).isNotEmpty();
        before.forEach(one -> shell(controller, "connection:kill " + one));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> connections(controller, connection).stream().anyMatch(one -> !before.contains(one)));
    }

    private static List<String> connections(GregorProcess controller, Pattern connection) {
        return connection
                .matcher(shell(controller, "connection:list"))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    private static String shell(GregorProcess node, String command) {
        return ShellSocket.call(node.home(), command).output();
    }

    private static void writeAndRead(Admin admin, Properties client, String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, "value")).get();
        }
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seekToBeginning(consumer.assignment());
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !consumer.poll(Duration.ofMillis(200)).isEmpty());
        }
    }
}
