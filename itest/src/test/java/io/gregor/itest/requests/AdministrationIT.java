package io.gregor.itest.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministrationIT {
    /** What Kafka describes so too, but is changed by listener, by topic, or not at all. */
    private static final Pattern CHANGED_OTHERWISE =
            Pattern.compile("ssl\\.|sasl\\.|principal\\.builder\\.class|config\\.providers|min\\.insync\\.replicas");

    @TempDir
    static Path home;

    private static GregorProcess node;
    private static Admin admin;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(home);
        admin = Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
    }

    @AfterAll
    static void stop() {
        admin.close();
        node.close();
    }

    @Test
    void topicsAreCreatedGrownAndDeleted() throws Exception {
        create("grown", 2);

        assertThatThrownBy(() -> create("grown", 2)).hasCauseInstanceOf(TopicExistsException.class);
        assertThatThrownBy(() -> grow("grown", 1)).hasCauseInstanceOf(InvalidPartitionsException.class);
        grow("grown", 3);
        await().untilAsserted(() -> assertThat(partitions("grown")).isEqualTo(3));

        admin.deleteTopics(List.of("grown")).all().get();
        await().untilAsserted(() -> assertThat(admin.listTopics().names().get()).doesNotContain("grown"));
    }

    @Test
    void topicConfigurationIsStoredAndDescribedWithItsSource() throws Exception {
        create("configured", 1);
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "configured");

        alter(topic, "max.message.bytes", "2000000", OpType.SET);
        alter(topic, "cleanup.policy", "compact", OpType.APPEND);

        await().untilAsserted(() -> {
            assertThat(entry(topic, "max.message.bytes").value()).isEqualTo("2000000");
            assertThat(entry(topic, "cleanup.policy").value()).isEqualTo("delete,compact");
        });
        assertThat(entry(topic, "max.message.bytes").source()).isEqualTo(ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThat(entry(topic, "retention.ms").source()).isEqualTo(ConfigSource.DEFAULT_CONFIG);
        assertThatThrownBy(() -> alter(topic, "retention.ms", "soon", OpType.SET))
                .hasCauseInstanceOf(InvalidConfigurationException.class);
    }

    @Test
    void brokerConfigurationIsDescribedAsItWasChanged() throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        assertThat(entry(broker, "num.io.threads").value()).isEqualTo("8");
        assertThat(entry(broker, "log.dirs").source()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);

        alter(broker, "num.io.threads", "4", OpType.SET);

        assertThat(entry(broker, "num.io.threads").value()).isEqualTo("4");
        assertThat(entry(broker, "num.io.threads").source()).isEqualTo(ConfigSource.DYNAMIC_BROKER_CONFIG);
        assertThatThrownBy(() -> alter(broker, "num.io.threads", "1", OpType.SET))
                .hasCauseInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("value should be at least half the current value 4");

        alter(broker, "num.io.threads", "", OpType.DELETE);

        assertThat(entry(broker, "num.io.threads").value()).isEqualTo("8");
    }

    @Test
    void whatIsDescribedAsChangeableIsChanged() throws Exception {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        Map<String, String> refused = new TreeMap<>();
        for (ConfigEntry entry :
                admin.describeConfigs(List.of(broker)).all().get().get(broker).entries()) {
            if (!entry.isReadOnly() && !CHANGED_OTHERWISE.matcher(entry.name()).lookingAt() && entry.value() != null) {
                AlterConfigOp same = new AlterConfigOp(new ConfigEntry(entry.name(), entry.value()), OpType.SET);
                try {
                    admin.incrementalAlterConfigs(
                                    Map.of(broker, List.of(same)), new AlterConfigsOptions().validateOnly(true))
                            .all()
                            .get();
                } catch (ExecutionException fault) {
                    refused.put(entry.name(), fault.getCause().getMessage());
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void levelsOfLoggersAreChangedUntilTheNodeStops() throws Exception {
        ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");

        alter(loggers, "io.gregor.broker", "DEBUG", OpType.SET);

        assertThat(entry(loggers, "io.gregor.broker").value()).isEqualTo("DEBUG");
        assertThat(entry(loggers, "io.gregor.broker").source()).isEqualTo(ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG);
        assertThatThrownBy(() -> alter(loggers, "io.gregor.broker", "LOUD", OpType.SET))
                .hasCauseInstanceOf(InvalidConfigurationException.class);

        alter(loggers, "io.gregor.broker", "", OpType.DELETE);

        assertThat(entry(loggers, "io.gregor.broker").value()).isEqualTo("INFO");
    }

    @Test
    void resourcesLogDirectoriesAndTheQuorumAreTold() throws Exception {
        create("told", 1);

        assertThat(admin.listConfigResources().all().get())
                .contains(
                        new ConfigResource(ConfigResource.Type.BROKER, "1"),
                        new ConfigResource(ConfigResource.Type.TOPIC, "told"));
        Map<String, LogDirDescription> directories =
                admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1);
        assertThat(directories).containsOnlyKeys(home.resolve("data").toString());
        LogDirDescription directory = directories.values().iterator().next();
        assertThat(directory.replicaInfos()).containsKey(new TopicPartition("told", 0));
        assertThat(directory.totalBytes()).isPresent();
        assertThat(admin.describeMetadataQuorum().quorumInfo().get().leaderId()).isEqualTo(1);
    }

    @Test
    void leadersAreElectedAndPartitionsReassigned() throws Exception {
        create("led", 1);
        TopicPartition partition = new TopicPartition("led", 0);

        Optional<Throwable> elected = admin.electLeaders(ElectionType.PREFERRED, Set.of(partition))
                .partitions()
                .get()
                .get(partition);

        assertThat(elected).get().isInstanceOf(ElectionNotNeededException.class);
        assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
    }

    private static void create(String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get();
    }

    private static void grow(String topic, int partitions) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    private static int partitions(String topic) throws Exception {
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .size();
    }

    private static void alter(ConfigResource resource, String key, String value, OpType operation) throws Exception {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), operation);
        admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
    }

    private static ConfigEntry entry(ConfigResource resource, String key) throws Exception {
        return admin.describeConfigs(List.of(resource))
                .values()
                .get(resource)
                .get()
                .get(key);
    }
}
