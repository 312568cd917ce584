package io.gregor.storage.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreTest {
    private static final Uuid TOPIC = Uuid.randomUuid();
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    @TempDir
    Path home;

    private final Map<String, Uuid> ids = new HashMap<>();
    private final List<String> events = new CopyOnWriteArrayList<>();

    private LogStore open(int directories) throws Exception {
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < directories; i++) {
            paths.add(directory(home.resolve("logs" + i)));
        }
        AbstractKafkaConfig values = new AbstractKafkaConfig(
                AbstractKafkaConfig.CONFIG_DEF,
                Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C"),
                Map.of(),
                false) {};
        Map<String, ?> answers =
                Map.of("nodeId", 1, "values", values, "logDirs", paths, "topicDefaults", topicDefaults());
        NodeConfig node = (NodeConfig) Proxy.newProxyInstance(
                NodeConfig.class.getClassLoader(),
                new Class<?>[] {NodeConfig.class},
                (proxy, method, arguments) -> answers.get(method.getName()));
        NodeIdentity identity = new NodeIdentity(1, "c", Uuid.randomUuid(), Map.copyOf(ids));
        return new LogStore(node, identity, resource -> new Properties(), Time.SYSTEM, directory -> events.add("all"));
    }

    private static Map<String, Object> topicDefaults() {
        Map<String, Object> defaults = new HashMap<>(new LogConfig(Map.of()).values());
        defaults.values().removeIf(value -> value == null);
        return defaults;
    }

    private Path directory(Path path) throws IOException {
        File file = path.toFile();
        if (file.mkdirs()) {
            Uuid id = Uuid.randomUuid();
            ids.put(file.getAbsolutePath(), id);
            MetaProperties properties = new MetaProperties.Builder()
                    .setVersion(MetaPropertiesVersion.V1)
                    .setClusterId("c")
                    .setNodeId(1)
                    .setDirectoryId(id)
                    .build();
            PropertiesUtils.writePropertiesFile(
                    properties.toProperties(), new File(file, "meta.properties").getPath(), false);
        }
        return path;
    }

    private static MetadataImage topicOn(int broker) {
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        delta.replay(new TopicRecord().setName("t").setTopicId(TOPIC));
        delta.replay(new PartitionRecord()
                .setTopicId(TOPIC)
                .setPartitionId(0)
                .setReplicas(List.of(broker))
                .setIsr(List.of(broker))
                .setLeader(broker));
        return delta.apply(MetadataProvenance.EMPTY);
    }

    private static UnifiedLog create(LogStore store) throws IOException {
        return store.manager().getOrCreateLog(PARTITION, true, false, Optional.of(TOPIC));
    }

    @Test
    void knowsItsDirectoriesAndNoFormerEpochAtFirst() throws Exception {
        try (LogStore store = open(2)) {
            assertThat(store.ids()).isEqualTo(ids);
            assertThat(store.previousBrokerEpoch()).isEqualTo(OptionalLong.empty());
        }
    }

    @Test
    void remembersTheEpochOfACleanStop() throws Exception {
        try (LogStore store = open(2)) {
            store.start(MetadataImage.EMPTY);
            store.brokerEpoch(17);
        }

        try (LogStore store = open(2)) {
            assertThat(store.previousBrokerEpoch()).isEqualTo(OptionalLong.of(17));
        }
    }

    @Test
    void doesNotCallAStopCleanThatLoadedNoLogs() throws Exception {
        try (LogStore store = open(1)) {
            store.brokerEpoch(17);
        }

        assertThat(home.resolve("logs0/.kafka_cleanshutdown")).doesNotExist();
    }

    @Test
    void locksItsDirectories() throws Exception {
        try (LogStore store = open(1)) {
            assertThat(store.ids()).hasSize(1);
            assertThat(catchThrowable(() -> open(1))).hasMessageContaining("Failed to acquire lock");
        }
        try (LogStore store = open(1)) {
            assertThat(store.ids()).hasSize(1);
        }
    }

    @Test
    void putsLogsAsideThatBelongToAnotherBroker() throws Exception {
        try (LogStore store = open(1)) {
            store.start(topicOn(1));
            create(store);
        }

        try (LogStore store = open(1)) {
            store.start(topicOn(2));

            assertThat(store.manager().getLog(PARTITION)).isEmpty();
            assertThat(home.resolve("logs0").toFile().list()).anyMatch(name -> name.endsWith("-stray"));
        }
    }

    @Test
    void loadsLogsThatBelongHere() throws Exception {
        try (LogStore store = open(1)) {
            store.start(topicOn(1));
            create(store);
        }

        try (LogStore store = open(1)) {
            store.start(topicOn(1));

            assertThat(store.manager().getLog(PARTITION)).isPresent();
        }
    }

    @Test
    void changedTopicSettingsReachTheLogs() throws Exception {
        try (LogStore store = open(1)) {
            store.start(topicOn(1));
            UnifiedLog log = create(store);
            Properties settings = new Properties();
            settings.put("retention.ms", "1234");

            store.topicConfigChanged("t", settings);

            assertThat(log.config().retentionMs).isEqualTo(1234);
        }
    }

    @Test
    void partitionsGoOfflineBeforeADirectoryFailureIsTold() throws Exception {
        try (LogStore store = open(2)) {
            store.start(MetadataImage.EMPTY);
            String failed = home.resolve("logs1").toFile().getAbsolutePath();
            store.beforeFailure(directory -> events.add(
                    "offline " + directory.equals(failed) + store.manager().isLogDirOnline(failed)));
            store.onFailure(id -> events.add("told " + id.equals(ids.get(failed))));

            store.directoryFailures().maybeAddOfflineLogDir(failed, "test", new IOException("broken"));

            await().untilAsserted(() -> assertThat(events).containsExactly("offline truetrue", "told true"));
            assertThat(store.ids()).hasSize(1).doesNotContainKey(failed);
        }
    }

    @Test
    void nodeEndsWithItsLastDirectory() throws Exception {
        try (LogStore store = open(1)) {
            store.start(MetadataImage.EMPTY);
            String failed = home.resolve("logs0").toFile().getAbsolutePath();

            store.directoryFailures().maybeAddOfflineLogDir(failed, "test", new IOException("broken"));

            await().untilAsserted(() -> assertThat(events).containsExactly("all"));
        }
    }

    @Test
    void cleanerSleepsUntilACompactedLogHasAFinishedSegment() throws Exception {
        try (LogStore store = open(1)) {
            store.start(topicOn(1));
            DormantLogCleaner cleaner = (DormantLogCleaner) store.manager().cleaner();
            Properties settings = new Properties();
            settings.put("cleanup.policy", "compact");
            UnifiedLog log = create(store);
            store.topicConfigChanged("t", settings);
            cleaner.wakeIfNeeded();
            assertThat(cleaner.isAwake()).isFalse();
            assertThat(cleaner.cleanerCount()).isZero();

            log.appendAsLeader(
                    MemoryRecords.withRecords(
                            Compression.NONE, new SimpleRecord("k".getBytes(UTF_8), "v".getBytes(UTF_8))),
                    0);
            log.roll();
            cleaner.wakeIfNeeded();

            assertThat(cleaner.isAwake()).isTrue();
            assertThat(cleaner.cleanerCount()).isEqualTo(1);
        }
    }
}
