package io.gregor.groups.internal;

import io.gregor.internal.metadata.CoordinatorNews;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** The share coordinator as it hears news. Owned by the metadata loader's thread. */
public record ToldShareCoordinator(ShareCoordinator coordinator) implements CoordinatorNews.Coordinator {
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
        coordinator.onMetadataUpdate(delta, image);
    }
}
