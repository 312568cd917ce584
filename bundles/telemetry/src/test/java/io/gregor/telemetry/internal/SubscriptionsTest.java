package io.gregor.telemetry.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {
    private final TreeMap<String, Properties> told = new TreeMap<>();
    private final Subscriptions subscriptions = new Subscriptions(told::put);
    private MetadataImage image = MetadataImage.EMPTY;

    @Test
    void tellsOfClientMetricsThatAreThereAndThatChange() {
        MetadataDelta first = delta();
        first.replay(record(ConfigResource.Type.CLIENT_METRICS, "all", "5000"));
        first.replay(record(ConfigResource.Type.BROKER, "1", "6000"));
        subscriptions.begin(first, image = first.apply(MetadataProvenance.EMPTY));
        assertThat(told).containsOnlyKeys("all");
        assertThat(told.get("all")).containsEntry("interval.ms", "5000");

        MetadataDelta next = delta();
        next.replay(record(ConfigResource.Type.CLIENT_METRICS, "all", "7000"));
        subscriptions.follow(next, image = next.apply(MetadataProvenance.EMPTY));
        assertThat(told.get("all")).containsEntry("interval.ms", "7000");
    }

    @Test
    void aResourceThatIsGoneHasNothing() {
        MetadataDelta first = delta();
        first.replay(record(ConfigResource.Type.CLIENT_METRICS, "all", "5000"));
        subscriptions.begin(first, image = first.apply(MetadataProvenance.EMPTY));

        MetadataDelta next = delta();
        next.replay(record(ConfigResource.Type.CLIENT_METRICS, "all", null));
        subscriptions.follow(next, image = next.apply(MetadataProvenance.EMPTY));

        assertThat(told.get("all")).isEmpty();
    }

    @Test
    void aChangeOfOtherThingsIsNone() {
        subscriptions.follow(delta(), image);
        assertThat(told).isEmpty();
    }

    private MetadataDelta delta() {
        return new MetadataDelta.Builder().setImage(image).build();
    }

    private static ConfigRecord record(ConfigResource.Type type, String name, String value) {
        return new ConfigRecord()
                .setResourceType(type.id())
                .setResourceName(name)
                .setName("interval.ms")
                .setValue(value);
    }
}
