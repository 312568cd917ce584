package io.gregor.storage.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.testing.FakeNodeConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/** Log directories below a home, and the stores that are opened on them one after the other. Owned by the test's thread. */
final class TestLogs {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private static final Uuid TOPIC = Uuid.randomUuid();

    private final Path home;
    private final Consumer<String> onAllFailed;
    private final Map<String, Uuid> ids = new HashMap<>();

    TestLogs(Path home, Consumer<String> onAllFailed) {
        this.home = home;
        this.onAllFailed = onAllFailed;
    }

    /** The ids of the directories, by their absolute paths. */
    Map<String, Uuid> ids() {
        return ids;
    }

    /** Opens a store of broker 1 on the first so many directories. */
    LogStore open(int directories, Map<String, String> settings) throws Exception {
        for (int i = 0; i < directories; i++) {
            directory(path(i).toFile());
        }
        NodeIdentity identity = new NodeIdentity(1, "c", Uuid.randomUuid(), Map.copyOf(ids));
        return new LogStore(
                node(directories, settings), identity, resource -> new Properties(), Time.SYSTEM, onAllFailed);
    }

    /** The configuration of broker 1. */
    NodeConfig node(int directories, Map<String, String> settings) {
        List<Path> paths = new ArrayList<>();
        for (int i = 0; i < directories; i++) {
            paths.add(path(i));
        }
        Map<String, String> lines = new HashMap<>(settings);
        lines.put("log.dirs", paths.stream().map(Path::toString).collect(Collectors.joining(",")));
        return FakeNodeConfig.of(lines);
    }

    Path path(int directory) {
        return home.resolve("logs" + directory);
    }

    private void directory(File directory) throws IOException {
        if (directory.mkdirs()) {
            Uuid id = Uuid.randomUuid();
            ids.put(directory.getAbsolutePath(), id);
            MetaProperties properties = new MetaProperties.Builder()
                    .setVersion(MetaPropertiesVersion.V1)
                    .setClusterId("c")
                    .setNodeId(1)
                    .setDirectoryId(id)
                    .build();
            PropertiesUtils.writePropertiesFile(
                    properties.toProperties(), new File(directory, "meta.properties").getPath(), false);
        }
    }

    static MetadataImage topicOn(int broker) {
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

    static UnifiedLog create(LogStore store) throws IOException {
        return create(store, 0);
    }

    static UnifiedLog create(LogStore store, int partition) throws IOException {
        return store.manager().getOrCreateLog(new TopicPartition("t", partition), true, false, Optional.of(TOPIC));
    }
}
