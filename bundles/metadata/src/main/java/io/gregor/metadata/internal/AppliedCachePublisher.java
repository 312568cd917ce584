package io.gregor.metadata.internal;

import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.KRaftMetadataCache;

/** Puts each image into the cache before any other publisher sees it. Immutable. */
public record AppliedCachePublisher(KRaftMetadataCache cache) implements MetadataPublisher {
    @Override
    public String name() {
        return "AppliedCachePublisher";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        cache.setImage(image);
    }

    /** Nothing to end: the last image stays. */
    @Override
    public void close() {}
}
