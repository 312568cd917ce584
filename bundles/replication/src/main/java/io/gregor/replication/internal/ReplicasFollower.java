package io.gregor.replication.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** Applies changes of the topics to this broker's partitions. Owned by the metadata loader's thread. */
public final class ReplicasFollower implements MetadataFollower {
    private final ReplicaStore replicas;

    /** Follows for these partitions. */
    public ReplicasFollower(ReplicaStore replicas) {
        this.replicas = replicas;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        follow(delta, image);
        replicas.start();
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.topicsDelta() != null) {
            replicas.apply(delta.topicsDelta());
        }
        if (delta.configsDelta() != null) {
            replicas.settingsChanged(delta.configsDelta().changes().keySet().stream()
                    .filter(changed -> changed.type() == ConfigResource.Type.TOPIC)
                    .map(ConfigResource::name)
                    .collect(Collectors.toSet()));
        }
    }
}
