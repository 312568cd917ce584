package io.gregor.internal.metadata;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
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

    /**
     * Ends when the image meets a condition, which is called by any thread and must not block. Ends with a TimeoutException
     * after {@code timeoutMs}.
     */
    CompletableFuture<Void> await(Predicate<MetadataImage> condition, long timeoutMs);

    /** Ends when all these topics are in the image. Ends with a TimeoutException after {@code timeoutMs}. */
    default CompletableFuture<Void> awaitTopics(Collection<Uuid> topicIds, long timeoutMs) {
        List<Uuid> wanted = List.copyOf(topicIds);
        return await(image -> wanted.stream().allMatch(id -> image.topics().getTopic(id) != null), timeoutMs);
    }
}
