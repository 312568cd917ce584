package io.gregor.broker.internal;

import io.gregor.internal.metadata.ServedMetadata;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.util.Scheduler;

/**
 * The metadata that this broker serves from: the last of its publishers, so that all others have applied an image before a
 * client sees it. Shared: any thread; images come on the metadata loader's thread.
 */
public final class ServedImage implements ServedMetadata, MetadataPublisher {
    private final int brokerId;
    private final KRaftMetadataCache cache;
    private final Scheduler scheduler;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    /** Bounded by the requests in hand: each waits for one image at most. */
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();

    private record Waiter(Predicate<MetadataImage> condition, CompletableFuture<Void> met) {}

    /** An empty image. */
    public ServedImage(int brokerId, KRaftMetadataCache cache, Scheduler scheduler) {
        this.brokerId = brokerId;
        this.cache = cache;
        this.scheduler = scheduler;
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
        Waiter waiter = new Waiter(condition, new CompletableFuture<>());
        waiters.add(waiter);
        check(waiter);
        if (waiter.met.isDone()) {
            return waiter.met;
        }
        Future<?> deadline = scheduler.scheduleOnce("await-metadata", () -> expire(waiter, timeoutMs), timeoutMs);
        return waiter.met.whenComplete((met, fault) -> deadline.cancel(false));
    }

    /** Ends with the first image. */
    public CompletableFuture<Void> first() {
        return first;
    }

    @Override
    public String name() {
        return "ServedMetadataPublisher id=" + brokerId;
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        cache.setImage(image);
        waiters.forEach(this::check);
        first.complete(null);
    }

    /** Ends all waits: nothing will change any more. */
    @Override
    public void close() {
        waiters.forEach(waiter -> end(waiter, "this broker stops"));
    }

    private void check(Waiter waiter) {
        if (waiter.condition.test(cache.currentImage()) && waiters.remove(waiter)) {
            waiter.met.complete(null);
        }
    }

    private void expire(Waiter waiter, long timeoutMs) {
        end(waiter, "timeoutMs=" + timeoutMs);
    }

    private void end(Waiter waiter, String reason) {
        if (waiters.remove(waiter)) {
            waiter.met.completeExceptionally(
                    new TimeoutException("metadata has not been applied by this broker yet: " + reason));
        }
    }
}
