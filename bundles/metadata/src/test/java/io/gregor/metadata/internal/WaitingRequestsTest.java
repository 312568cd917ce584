package io.gregor.metadata.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.junit.jupiter.api.Test;

class WaitingRequestsTest {
    private final WaitingRequests<String> requests = new WaitingRequests<>();

    @Test
    void handsAnswersAndFaultsOn() {
        CompletableFuture<String> raft = new CompletableFuture<>();
        CompletableFuture<String> answer = requests.add(() -> raft).toCompletableFuture();
        assertThat(answer).isNotDone();
        raft.complete("answer");

        assertThat(answer).isCompletedWithValue("answer");
        IllegalStateException fault = new IllegalStateException("no");
        assertThat(requests.add(() -> CompletableFuture.failedFuture(fault)).toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCause(fault);
    }

    @Test
    void endsWhatWaitsWhenRaftEnds() {
        CompletableFuture<String> raft = new CompletableFuture<>();
        CompletableFuture<String> answer = requests.add(() -> raft).toCompletableFuture();

        requests.close();
        raft.complete("too late");

        assertThat(answer).isCompletedExceptionally();
        assertThat(answer.handle((value, fault) -> fault).join()).isInstanceOf(BrokerNotAvailableException.class);
    }

    @Test
    void asksRaftNoMoreOnceItHasEnded() {
        requests.close();

        CompletableFuture<String> answer = requests.add(() -> {
                    throw new CompletionException("asked", null);
                })
                .toCompletableFuture();

        assertThat(answer).isCompletedExceptionally();
    }
}
