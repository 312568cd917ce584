package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.LiveConfig.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;

class FollowingTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final CompletableFuture<String> after = new CompletableFuture<>();

    @Test
    void printsEachStepOfADrainOnceAndThenItsFigures() {
        Queue<String> steps = new ArrayDeque<>(List.of("", "connections=2", "connections=2", "connections=1"));

        String answer = following(steps).until(done(new Outcome(ApiError.NONE, 7, after)), false, number -> "KEY");

        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactly("connections=2", "connections=1");
        assertThat(answer).isEqualTo("KEY\nchange 7 applied\ndrained=2 closed=0");
    }

    @Test
    void doesNotWaitForWhatADryRunWouldBring() {
        String answer =
                following(new ArrayDeque<>()).until(done(new Outcome(ApiError.NONE, -1, after)), true, number -> "KEY");

        assertThat(answer).isEqualTo("KEY\ndry run: it can be done, nothing was changed");
    }

    @Test
    void tellsWhyAChangeIsRefusedInOneLine() {
        ApiError error = new ApiError(Errors.INVALID_CONFIG, "port=9092 is in use\nchoose another");

        assertThatThrownBy(() ->
                        following(new ArrayDeque<>()).until(done(new Outcome(error, 3, after)), false, number -> "KEY"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("refused, nothing was changed: port=9092 is in use; choose another, it is change 3 in"
                        + " change:list");
    }

    @Test
    void doesNotClaimToKnowWhatAStoreThatTimedOutDid() {
        ApiError error = new ApiError(Errors.REQUEST_TIMED_OUT, "no answer after timeoutMs=30000");

        assertThatThrownBy(() ->
                        following(new ArrayDeque<>()).until(done(new Outcome(error, 3, after)), false, number -> "KEY"))
                .hasMessageStartingWith("not known yet whether it counts: no answer");
    }

    @Test
    void tellsThatItGoesOnWhenTheConsoleWaitsNoLonger() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> following(new ArrayDeque<>())
                        .until(done(new Outcome(ApiError.NONE, 7, after)), false, number -> "KEY"))
                .hasMessageContaining("change=7 is applied, what follows it goes on");
        assertThat(Thread.interrupted()).isTrue();
    }

    private static CompletableFuture<Outcome> done(Outcome outcome) {
        return CompletableFuture.completedFuture(outcome);
    }

    /** Ends what follows the change with the last step. */
    private Following following(Queue<String> steps) {
        Supplier<String> progress = () -> {
            String step = steps.remove();
            if (steps.isEmpty()) {
                after.complete("drained=2 closed=0");
            }
            return step;
        };
        return new Following(new PrintStream(printed, false, StandardCharsets.UTF_8), progress, Duration.ofMillis(1));
    }
}
