package io.gregor.internal.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.server.util.timer.TimerTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuietTimerTest {
    private final QuietTimer timer = new QuietTimer("test");

    @AfterEach
    void close() {
        timer.close();
    }

    /** Turns as the purgatory's reaper does until the timer has been advanced so often. */
    private CompletableFuture<Void> reap(int turns) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread reaper = new Thread(
                () -> {
                    try {
                        for (int turn = 0; turn < turns; turn++) {
                            timer.advanceClock(1);
                        }
                        ended.complete(null);
                    } catch (InterruptedException e) {
                        ended.completeExceptionally(e);
                    }
                },
                "reaper");
        reaper.setDaemon(true);
        reaper.start();
        return ended;
    }

    @Test
    void operationExpiresAtItsDeadlineWhileTheReaperSleeps() {
        CompletableFuture<Void> ended = reap(Integer.MAX_VALUE);
        CompletableFuture<Void> expired = new CompletableFuture<>();

        timer.add(new TimerTask(50) {
            @Override
            public void run() {
                expired.complete(null);
            }
        });

        assertThat(expired).succeedsWithin(Duration.ofSeconds(10));
        assertThat(ended).isNotDone();
    }

    @Test
    void wakingEndsTheSleepForGood() {
        CompletableFuture<Void> ended = reap(10);

        timer.wake();

        assertThat(ended).succeedsWithin(Duration.ofSeconds(10));
    }
}
