package io.gregor.groups.internal;

import io.gregor.internal.metadata.CoordinatorNews;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** The group coordinator as it hears news, among them those of the configs of groups. Owned by the metadata loader's thread. */
public record ToldGroupCoordinator(GroupCoordinator coordinator) implements CoordinatorNews.Coordinator {
    @Override
    public void startup(IntSupplier partitions) {
        coordinator.startup(partitions);
    }

    @Override
    public void onElection(int partition, int leaderEpoch) {
        coordinator.onElection(partition, leaderEpoch);
    }

    @Override
    public void onResignation(int partition, OptionalInt leaderEpoch) {
        coordinator.onResignation(partition, leaderEpoch);
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image) {
        try {
            configs(delta, image);
        } finally {
            coordinator.onMetadataUpdate(delta, image);
        }
    }

    private void configs(MetadataDelta delta, MetadataImage image) {
        if (delta.configsDelta() == null) {
            return;
        }
        for (ConfigResource resource : delta.configsDelta().changes().keySet()) {
            if (resource.type() == ConfigResource.Type.GROUP) {
                coordinator.updateGroupConfig(resource.name(), image.configs().configProperties(resource));
            }
        }
    }
}
