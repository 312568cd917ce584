package io.gregor.metadata.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.junit.jupiter.api.Test;

class MetadataWaitsTest {
    private static final Uuid ONE = new Uuid(0, 11);
    private static final Uuid TWO = new Uuid(0, 12);
    private static final long LONG_MS = 60_000;

    private final MetadataWaits waits = new MetadataWaits();
    private MetadataImage image = MetadataImage.EMPTY;

    @Test
    void endsWhenTheConditionIsMet() {
        CompletableFuture<Void> both = waits.await(shows(ONE, TWO), LONG_MS);

        appear("one", ONE);
        assertThat(both).isNotDone();
        appear("two", TWO);

        assertThat(both).isCompleted();
    }

    @Test
    void endsAtOnceIfItIsMetAlready() {
        appear("one", ONE);

        assertThat(waits.await(shows(ONE), LONG_MS)).isCompleted();
    }

    @Test
    void givesUpAfterItsTime() {
        CompletableFuture<Void> wait = waits.await(shows(ONE), 1);

        assertThatThrownBy(() -> wait.get(10, SECONDS)).hasCauseInstanceOf(TimeoutException.class);
    }

    private static Predicate<MetadataImage> shows(Uuid... ids) {
        return image -> Stream.of(ids).allMatch(id -> image.topics().getTopic(id) != null);
    }

    private void appear(String name, Uuid id) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new TopicRecord().setName(name).setTopicId(id));
        image = delta.apply(new MetadataProvenance(1, 1, 1, true));
        waits.onMetadataUpdate(
                delta,
                image,
                new LogDeltaManifest.Builder()
                        .provenance(image.provenance())
                        .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                        .numBatches(1)
                        .elapsedNs(1)
                        .numBytes(1)
                        .build());
    }
}
