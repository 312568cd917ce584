package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.junit.jupiter.api.Test;

class RegistrationWatchTest {
    private static final Uuid OWN = new Uuid(1, 2);
    private static final Uuid FORMER_LIFE = new Uuid(3, 4);
    private static final LogDeltaManifest MANIFEST = new LogDeltaManifest.Builder()
            .provenance(MetadataProvenance.EMPTY)
            .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
            .numBatches(1)
            .elapsedNs(1)
            .numBytes(1)
            .build();

    private final RegistrationWatch watch = new RegistrationWatch(1, OWN);

    @Test
    void endsAWaitWithTheRegistrationThatHasTheListeners() {
        show(OWN, 9093);
        CompletableFuture<Void> moved = watch.registered(listeners(9094), 10_000);
        show(OWN, 9093);
        assertThat(moved).isNotDone();

        show(OWN, 9094);

        assertThat(moved).isCompletedWithValue(null);
    }

    @Test
    void takesNoNoticeOfWhatIsLeftOfAFormerLife() {
        CompletableFuture<Void> registered = watch.registered(listeners(9093), 10_000);

        show(FORMER_LIFE, 9093);

        assertThat(registered).isNotDone();
        assertThat(watch.first()).isNotDone();
    }

    @Test
    void endsAllWaitsWhenTheControllerStops() {
        CompletableFuture<Void> registered = watch.registered(listeners(9093), 10_000);

        watch.close();

        assertThat(registered).isCompletedExceptionally();
    }

    private void show(Uuid incarnationId, int port) {
        MetadataDelta delta =
                new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        delta.replay(new RegisterControllerRecord()
                .setControllerId(1)
                .setIncarnationId(incarnationId)
                .setEndPoints(listeners(port).toControllerRegistrationRecord()));
        watch.onMetadataUpdate(delta, delta.apply(MetadataProvenance.EMPTY), MANIFEST);
    }

    private static ListenerInfo listeners(int port) {
        return ListenerInfo.create(List.of(new Endpoint("CONTROLLER", SecurityProtocol.PLAINTEXT, "host", port)));
    }
}
