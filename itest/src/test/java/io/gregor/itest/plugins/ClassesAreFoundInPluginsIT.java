package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.plugins.kinds.Bobs;
import io.gregor.itest.plugins.kinds.OwnQuotas;
import io.gregor.itest.plugins.kinds.SecretTopics;
import io.gregor.itest.plugins.kinds.ShortNames;
import io.gregor.itest.plugins.kinds.TellingReporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's keys with class names, for classes of jars that are in deploy/ when the node starts. */
class ClassesAreFoundInPluginsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path home;

    private Path deploy;

    @BeforeEach
    void makeDeploy() throws Exception {
        deploy = Files.createDirectories(home.resolve("deploy"));
    }

    @Test
    void keysNameClassesOfAJar() throws Exception {
        Path jar = Kinds.of("classes", "1.0.0", SecretTopics.class, ShortNames.class, TellingReporter.class)
                .writeTo(deploy.resolve("classes.jar"));
        try (GregorProcess node = GregorProcess.start(
                home,
                "authorizer.class.name=" + SecretTopics.class.getName(),
                "create.topic.policy.class.name=" + ShortNames.class.getName(),
                "metric.reporters=org.apache.kafka.common.metrics.JmxReporter," + TellingReporter.class.getName())) {
            assertThat(Kinds.described(node, "secret-1")).isEqualTo("TopicAuthorizationException");
            assertThat(Kinds.described(node, "open-1")).isEqualTo("UnknownTopicOrPartitionException");
            assertThat(Kinds.created(node, "a-much-too-long-name")).isEqualTo("PolicyViolationException");
            assertThat(Kinds.told(home)).contains("reporter configured node=1");

            Files.delete(jar);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.described(node, "open-1"))
                    .isEqualTo("TopicAuthorizationException"));
            assertThat(node.logText())
                    .contains("the class of a key is gone with its bundle: authorizer.class.name="
                            + SecretTopics.class.getName());
        }
    }

    @Test
    void aPrincipalBuilderIsFoundInAJarAndUsed() throws Exception {
        Kinds.of("classes", "1.0.0", SecretTopics.class, Bobs.class).writeTo(deploy.resolve("classes.jar"));
        try (GregorProcess node = GregorProcess.start(
                home,
                "authorizer.class.name=" + SecretTopics.class.getName(),
                "principal.builder.class=" + Bobs.class.getName())) {
            assertThat(Kinds.described(node, "open-1")).isEqualTo("TopicAuthorizationException");
        }
    }

    @Test
    void aCallbackOfQuotasIsFoundInAJarAndDecides() throws Exception {
        Kinds.of("classes", "1.0.0", OwnQuotas.class).writeTo(deploy.resolve("classes.jar"));
        try (GregorProcess node =
                        GregorProcess.start(home, "client.quota.callback.class=" + OwnQuotas.class.getName());
                Admin admin = Kinds.admin(node);
                RawClient held = RawClient.connect(node.port())) {
            assertThat(Kinds.created(node, "counted")).isEqualTo("none");
            await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.told(home))
                    .contains("quotas configured node=1", "topics [counted]"));
            assertThat(held.call(produce("counted", 2_000), 1).throttleTimeMs()).isGreaterThan(60_000);

            ClientQuotaEntity anybody = new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "anybody"));
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            anybody, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1e9)))))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThat(held.call(produce("counted", 2_000), 2).throttleTimeMs())
                    .as("let go by the callback's new limit")
                    .isZero();
        }
    }

    private static ProduceRequest produce(String topic, int bytes) {
        PartitionProduceData partition = new PartitionProduceData()
                .setIndex(0)
                .setRecords(MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(new byte[bytes])));
        ProduceRequestData data = new ProduceRequestData().setAcks((short) 1).setTimeoutMs(5_000);
        data.topicData().add(new TopicProduceData().setName(topic).setPartitionData(List.of(partition)));
        return new ProduceRequest(data, (short) 9);
    }

    @Test
    void formattingByHandFindsThemToo() throws Exception {
        Kinds.of("classes", "1.0.0", ShortNames.class).writeTo(deploy.resolve("classes.jar"));

        GregorProcess.Finished formatted = format(ShortNames.class.getName());
        assertThat(formatted.status()).as(formatted.output()).isZero();

        GregorProcess.Finished refused = format("com.example.Nowhere");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output()).contains("create.topic.policy.class.name=com.example.Nowhere", "classes.jar");
    }

    private GregorProcess.Finished format(String policy) {
        return GregorProcess.gregor(
                home,
                "format",
                "--home",
                home.toString(),
                "-t",
                "q1Sh-9_ISia_zwGINzRvyQ",
                "--override",
                "create.topic.policy.class.name=" + policy);
    }

    @Test
    void aClassThatIsNowhereStopsTheStartAndTheJarsAreNamed() throws Exception {
        Kinds.of("classes", "1.0.0", ShortNames.class).writeTo(deploy.resolve("classes.jar"));
        try (GregorProcess node = GregorProcess.launch(home, "authorizer.class.name=com.example.Nowhere")) {
            assertThat(node.awaitExit()).isEqualTo(1);
            assertThat(node.consoleText())
                    .contains("authorizer.class.name=com.example.Nowhere must name a class of Kafka's libraries or of a"
                            + " bundle in deploy/")
                    .contains("classes.jar")
                    .contains("(--override)");
        }
    }
}
