package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class SelectionTest {
    private static final long FOR_EVER = 0;

    private Selection selection;

    @BeforeEach
    void open() throws IOException {
        selection = new Selection(
                Time.SYSTEM, new NetworkCounters(new SampleWindows(System.nanoTime(), 30_000_000_000L, 2)));
    }

    @AfterEach
    void close() throws IOException {
        selection.close();
    }

    @Test
    void doesNotSleepOverWorkThatComesWhileItFallsAsleep() throws IOException {
        AtomicBoolean asked = new AtomicBoolean();
        selection.await(
                () -> {
                    asked.set(true);
                    return true;
                },
                nowNs -> {
                    throw new AssertionError("asked how long to sleep");
                });
        assertThat(asked).isTrue();
    }

    @Test
    void endsASleepWhoseWakeUpCameAfterTheLastLook() throws IOException {
        selection.await(
                () -> {
                    selection.wake();
                    return false;
                },
                nowNs -> FOR_EVER);
    }

    @Test
    void endsASleepAtItsDeadline() throws IOException {
        long startNs = System.nanoTime();
        selection.await(() -> false, nowNs -> 20);
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(19));
    }

    @Test
    void losesNoWorkOfManyThreadsAndSleepsInBetween() throws IOException {
        int producers = 3;
        int each = 20_000;
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        for (int producer = 0; producer < producers; producer++) {
            Thread thread = new Thread(() -> {
                for (int count = 0; count < each; count++) {
                    queue.add(count);
                    selection.wake();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        int taken = 0;
        while (taken < producers * each) {
            if (queue.poll() != null) {
                taken++;
            } else {
                selection.await(() -> !queue.isEmpty(), nowNs -> FOR_EVER);
            }
        }
        assertThat(queue).isEmpty();
    }
}
