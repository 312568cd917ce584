package io.gregor.metadata.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/** Ends futures when the image meets what they wait for. Shared: any thread; images come on the loader's. */
public final class MetadataWaits implements MetadataPublisher {
    private record Wait(Predicate<MetadataImage> condition, CompletableFuture<Void> done) {
        void look(MetadataImage image) {
            if (condition.test(image)) {
                done.complete(null);
            }
        }
    }

    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private volatile MetadataImage image = MetadataImage.EMPTY;

    /** Ends when the image meets the condition, or with a TimeoutException. */
    public CompletableFuture<Void> await(Predicate<MetadataImage> condition, long timeoutMs) {
        Wait wait = new Wait(condition, new CompletableFuture<>());
        waits.add(wait);
        wait.look(image);
        wait.done().orTimeout(timeoutMs, TimeUnit.MILLISECONDS);
        return wait.done().whenComplete((nothing, fault) -> waits.remove(wait));
    }

    @Override
    public String name() {
        return "MetadataWaits";
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
