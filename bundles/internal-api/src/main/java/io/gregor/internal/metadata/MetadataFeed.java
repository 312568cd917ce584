package io.gregor.internal.metadata;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.image.publisher.MetadataPublisher;

/**
 * The stream of metadata changes. A service of the metadata bundle. Publishers are called on the loader's thread, one
 * after the other, in the order in which they were installed; each gets the whole image first.
 */
public interface MetadataFeed {
    /** Adds a publisher. The future ends when it is installed; its first image may come later. Any thread. */
    CompletableFuture<Void> install(MetadataPublisher publisher);

    /** Takes a publisher out and closes it. The future ends when it will not be called again. Any thread. */
    CompletableFuture<Void> remove(MetadataPublisher publisher);

    /** The offset of the last metadata record that every publisher has seen; -1 before the first. */
    long lastAppliedOffset();
}
