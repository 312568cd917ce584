package io.gregor.broker.internal;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.util.Scheduler;

/** Builds metadata images, and shows them as the loader does. */
final class Images {
    private static final LogDeltaManifest MANIFEST = new LogDeltaManifest.Builder()
            .provenance(MetadataProvenance.EMPTY)
            .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
            .numBatches(1)
            .elapsedNs(1)
            .numBytes(1)
            .build();

    private Images() {}

    static ServedImage served(Scheduler scheduler) {
        return new ServedImage(1, new KRaftMetadataCache(1, () -> KRaftVersion.KRAFT_VERSION_1), scheduler);
    }

    static void show(ServedImage served, MetadataImage image) {
        served.onMetadataUpdate(new MetadataDelta.Builder().setImage(image).build(), image, MANIFEST);
    }

    static MetadataImage with(MetadataImage before, String name, Uuid id, int partitions) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(before).build();
        delta.replay(new TopicRecord().setName(name).setTopicId(id));
        for (int index = 0; index < partitions; index++) {
            delta.replay(new PartitionRecord()
                    .setTopicId(id)
                    .setPartitionId(index)
                    .setReplicas(List.of(1))
                    .setDirectories(List.of(Uuid.randomUuid()))
                    .setIsr(List.of(1))
                    .setLeader(1)
                    .setLeaderEpoch(0)
                    .setPartitionEpoch(0));
        }
        return delta.apply(MetadataProvenance.EMPTY);
    }
}
