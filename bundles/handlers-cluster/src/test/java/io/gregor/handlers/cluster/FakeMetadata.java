package io.gregor.handlers.cluster;

import io.gregor.internal.metadata.ServedMetadata;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.KRaftVersion;

/** Serves the image that a test sets. */
final class FakeMetadata implements ServedMetadata {
    private final KRaftMetadataCache cache = new KRaftMetadataCache(1, () -> KRaftVersion.KRAFT_VERSION_1);

    FakeMetadata serve(MetadataImage image) {
        cache.setImage(image);
        return this;
    }

    @Override
    public MetadataCache cache() {
        return cache;
    }

    @Override
    public MetadataImage image() {
        return cache.currentImage();
    }

    @Override
    public CompletableFuture<Void> await(Predicate<MetadataImage> condition, long timeoutMs) {
        throw new UnsupportedOperationException();
    }
}
