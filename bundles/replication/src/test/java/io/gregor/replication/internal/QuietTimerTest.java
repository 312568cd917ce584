package io.gregor.replication.internal;

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

    private CompletableFuture<Boolean> turn() {
        CompletableFuture<Boolean> turned = new CompletableFuture<>();
        Thread reaper = new Thread(
                () -> {
                    try {
                        turned.complete(timer.advanceClock(1));
                    } catch (InterruptedException e) {
                        turned.completeExceptionally(e);
                    }
                },
                "reaper");
        reaper.setDaemon(true);
        reaper.start();
        return turned;
    }

    @Test
    void deadlineEndsTheSleep() {
        CompletableFuture<Boolean> turned = turn();
        CompletableFuture<Void> ran = new CompletableFuture<>();

        timer.add(new TimerTask(5) {
            @Override
            public void run() {
                ran.complete(null);
            }
        });

        assertThat(turned).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
        assertThat(ran).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void wakingEndsTheSleepForGood() {
        CompletableFuture<Boolean> turned = turn();

        timer.wake();

        assertThat(turned).succeedsWithin(Duration.ofSeconds(10));
        assertThat(turn()).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
    }
}
