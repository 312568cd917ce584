package io.gregor.metadata;

import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.metadata.internal.MetadataWaits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the controller's handlers answer from: the image as soon as it is there. Shared: any thread. */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        property = "role=controller")
public final class AppliedMetadata implements ServedMetadata {
    private static final Logger LOGGER = LoggerFactory.getLogger(AppliedMetadata.class);
    private static final long END_TIMEOUT_S = 5;

    private final KRaftMetadataCache cache;
    private final MetadataFeed feed;
    private final MetadataWaits waits = new MetadataWaits();
    private final CompletableFuture<Void> watched;

    /** Starts to watch the image for waits. */
    @Activate
    public AppliedMetadata(
            @Reference(target = "(view=applied)") KRaftMetadataCache cache,
            @Reference MetadataFeed feed,
            @Reference MetadataHealth health) {
        this.cache = cache;
        this.feed = feed;
        watched = feed.install(waits).exceptionally(fault -> {
            health.publishing().handleFault("the controller's view of the metadata could not be installed", fault);
            return null;
        });
    }

    /** Ends the watch. */
    @Deactivate
    void deactivate() {
        Utils.swallow(
                LOGGER, () -> watched.thenCompose(nothing -> feed.remove(waits)).get(END_TIMEOUT_S, TimeUnit.SECONDS));
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
        return waits.await(condition, timeoutMs);
    }
}
