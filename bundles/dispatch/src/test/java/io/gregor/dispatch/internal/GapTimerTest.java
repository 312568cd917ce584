package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GapTimerTest {
    private static final String NAME = "gap-timer-test";

    private final AtomicLong leftNs = new AtomicLong(GapTimer.NOTHING);
    private final AtomicInteger looks = new AtomicInteger();
    private final GapTimer timer = new GapTimer(NAME, this::look);

    @AfterEach
    void close() {
        timer.close();
        await().until(() -> !isThere());
    }

    @Test
    void threadIsThereOnlyWhileSomethingWaits() {
        assertThat(isThere()).isFalse();
        leftNs.set(TimeUnit.HOURS.toNanos(1));

        timer.wake();
        await().until(() -> looks.get() == 1);
        assertThat(isThere()).isTrue();

        leftNs.set(GapTimer.NOTHING);
        timer.wake();
        await().until(() -> !isThere());
        assertThat(looks).hasValue(2);
    }

    @Test
    void looksAgainAtTheDeadline() {
        leftNs.set(TimeUnit.MILLISECONDS.toNanos(20));

        timer.wake();

        await().until(() -> looks.get() >= 3);
    }

    @Test
    void wakingIsNeverMissed() {
        for (int i = 1; i <= 2_000; i++) {
            int before = looks.get();
            timer.wake();
            await().pollInSameThread()
                    .pollDelay(0, TimeUnit.MILLISECONDS)
                    .pollInterval(100, TimeUnit.MICROSECONDS)
                    .until(() -> looks.get() > before);
        }
    }

    @Test
    void closedTimerStartsNoThread() {
        timer.close();

        timer.wake();

        assertThat(isThere()).isFalse();
        assertThat(looks).hasValue(0);
    }

    private long look() {
        looks.incrementAndGet();
        return leftNs.get();
    }

    private static boolean isThere() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(NAME));
    }
}
