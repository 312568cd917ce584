package io.gregor.internal.metadata;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.MetadataCache;

/**
 * What handlers answer from: the metadata as far as this node has applied it, so that a topic is in it once its local
 * partitions can serve. A service with the property {@code role}. Shared: any thread.
 */
public interface ServedMetadata {
    /** Look-ups over the image of the moment. */
    MetadataCache cache();

    /** The image of the moment; the same object until it changes, so that answers may be kept with it. */
    MetadataImage image();

    /** Ends when all these topics are in the image. Ends with a TimeoutException after {@code timeoutMs}. */
    CompletableFuture<Void> awaitTopics(Collection<Uuid> topicIds, long timeoutMs);
}
