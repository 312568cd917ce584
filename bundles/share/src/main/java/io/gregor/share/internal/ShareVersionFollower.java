package io.gregor.share.internal;

import io.gregor.internal.metadata.MetadataFollower;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/**
 * Takes from all members what they have when the cluster's {@code share.version} goes to 0: nobody may ask for share groups any
 * more. Owned by the metadata loader's thread.
 */
final class ShareVersionFollower implements MetadataFollower {
    private final LedSharePartitions partitions;

    ShareVersionFollower(LedSharePartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        // nothing is loaded before the first fetch
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.featuresDelta() != null
                && !ShareParts.shareVersion(image.features().finalizedVersions())
                        .supportsShareGroups()) {
            partitions.turnOff();
        }
    }
}
