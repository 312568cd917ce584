package io.gregor.metadata.internal;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/** Ends futures when the topics that they wait for are in the image. Shared: any thread; images come on the loader's. */
public final class TopicWaits implements MetadataPublisher {
    private record Wait(List<Uuid> topicIds, CompletableFuture<Void> done) {
        void look(MetadataImage image) {
            if (topicIds.stream().allMatch(id -> image.topics().getTopic(id) != null)) {
                done.complete(null);
            }
        }
    }

    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private volatile MetadataImage image = MetadataImage.EMPTY;

    /** Ends when all the topics are there, or with a TimeoutException. */
    public CompletableFuture<Void> await(Collection<Uuid> topicIds, long timeoutMs) {
        Wait wait = new Wait(List.copyOf(topicIds), new CompletableFuture<>());
        waits.add(wait);
        wait.look(image);
        wait.done().orTimeout(timeoutMs, TimeUnit.MILLISECONDS);
        return wait.done().whenComplete((nothing, fault) -> waits.remove(wait));
    }

    @Override
    public String name() {
        return "TopicWaits";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        image = newImage;
        waits.forEach(wait -> wait.look(newImage));
    }

    /** Nothing to end: waits end by themselves. */
    @Override
    public void close() {}
}
