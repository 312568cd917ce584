package io.gregor.internal.metadata;

import io.gregor.internal.node.NodeFaults;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.jspecify.annotations.Nullable;

/**
 * A part of the node in the metadata feed, from {@link #start} to {@link #close}: tells the follower the first image, then
 * every change. Shared: {@code start} and {@code close} are its owner's, the rest is the metadata loader's thread's.
 */
public final class Following implements AutoCloseable {
    private static final long REMOVAL_TIMEOUT_MS = 30_000;

    private final MetadataFeed feed;
    private final NodeFaults faults;
    private final String part;
    private final MetadataFollower follower;
    private @Nullable Feeding feeding;
    private @Nullable CompletableFuture<Void> installation;

    /**
     * A part that does not follow yet.
     *
     * @param part its name, for faults
     */
    public Following(MetadataFeed feed, NodeFaults faults, String part, MetadataFollower follower) {
        this.feed = feed;
        this.faults = faults;
        this.part = part;
        this.follower = follower;
    }

    /**
     * Joins the feed; does not wait.
     *
     * @param onBegun called on the metadata loader's thread once the first image is applied; must not block
     */
    public void start(Runnable onBegun) {
        Feeding started = new Feeding(onBegun);
        feeding = started;
        installation = feed.install(started).whenComplete((installed, fault) -> {
            if (fault != null) {
                faults.fatal(part).handleFault(part + " gets no metadata", fault);
            }
        });
    }

    /** Leaves the feed; when it returns the follower is not called any more. Waits for a call that is under way. */
    @Override
    public void close() {
        Feeding started = feeding;
        CompletableFuture<Void> joined = installation;
        if (started == null || joined == null || joined.isCompletedExceptionally()) {
            return;
        }
        try {
            joined.thenCompose(installed -> feed.remove(started)).get(REMOVAL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            faults.nonFatal(part).handleFault("metadata still comes to " + part + " while it stops", e);
        }
    }

    private final class Feeding implements MetadataPublisher {
        private final Runnable onBegun;
        private boolean hasBegun;

        Feeding(Runnable onBegun) {
            this.onBegun = onBegun;
        }

        @Override
        public String name() {
            return part;
        }

        @Override
        public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
            if (!hasBegun) {
                hasBegun = true;
                begin(delta, image);
            } else {
                follow(delta, image);
            }
        }

        private void begin(MetadataDelta delta, MetadataImage image) {
            try {
                follower.begin(delta, image);
            } catch (Exception e) {
                faults.fatal(part).handleFault(part + " could not apply the first metadata image", e);
                return;
            }
            onBegun.run();
        }

        private void follow(MetadataDelta delta, MetadataImage image) {
            try {
                follower.follow(delta, image);
            } catch (RuntimeException e) {
                faults.nonFatal(part)
                        .handleFault(part + " could not apply a change of the metadata: offset=" + image.offset(), e);
            }
        }

        @Override
        public void close() {
            // the part has the same owner, and is closed by it
        }
    }
}
