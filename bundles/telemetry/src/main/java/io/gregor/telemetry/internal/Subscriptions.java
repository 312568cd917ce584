package io.gregor.telemetry.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** Tells of client metrics resources that have changed; one that is gone has no properties. Immutable. */
public final class Subscriptions implements MetadataFollower {
    private final BiConsumer<String, Properties> changed;

    /** Where changes go, as {@code ClientMetricsManager.updateSubscription}. */
    public Subscriptions(BiConsumer<String, Properties> changed) {
        this.changed = changed;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        follow(delta, image);
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.configsDelta() == null) {
            return;
        }
        for (ConfigResource resource : delta.configsDelta().changes().keySet()) {
            if (resource.type() == ConfigResource.Type.CLIENT_METRICS) {
                changed.accept(resource.name(), image.configs().configProperties(resource));
            }
        }
    }
}
