package io.gregor.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class ServedImageTest {
    private static final Uuid A = Uuid.randomUuid();
    private static final Uuid B = Uuid.randomUuid();
    private static final MetadataImage WITH_A = Images.with(MetadataImage.EMPTY, "a", A, 1);
    private static final MetadataImage WITH_BOTH = Images.with(WITH_A, "b", B, 1);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ServedImage served = Images.served(scheduler);

    @Test
    void keepsTheSameImageUntilTheNextOneIsShown() {
        Images.show(served, WITH_A);

        assertThat(served.image()).isSameAs(WITH_A).isSameAs(served.image());
        assertThat(served.cache().contains("a")).isTrue();
    }

    @Test
    void endsTheWaitForTopicsWithTheImageThatHasTheLastOfThem() {
        CompletableFuture<Void> both = served.awaitTopics(List.of(A, B), 1000);
        Images.show(served, WITH_A);
        assertThat(both).isNotDone();

        Images.show(served, WITH_BOTH);

        assertThat(both).isCompletedWithValue(null);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void doesNotWaitForATopicThatIsThere() {
        Images.show(served, WITH_A);

        assertThat(served.awaitTopics(List.of(A), 1000)).isCompletedWithValue(null);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void endsTheWaitWithATimeoutWhenTheTopicDoesNotCome() {
        CompletableFuture<Void> wait = served.awaitTopics(List.of(B), 1000);

        scheduler.runAll();
        Images.show(served, WITH_BOTH);

        assertTimedOut(wait);
    }

    @Test
    void endsAllWaitsWhenTheBrokerStops() {
        CompletableFuture<Void> wait = served.awaitTopics(List.of(B), 1000);

        served.close();

        assertTimedOut(wait);
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void tellsItsFirstImage() {
        assertThat(served.first()).isNotDone();

        Images.show(served, WITH_A);

        assertThat(served.first()).isCompleted();
    }

    private static void assertTimedOut(CompletableFuture<Void> wait) {
        assertThat(wait)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TimeoutException.class);
    }
}
