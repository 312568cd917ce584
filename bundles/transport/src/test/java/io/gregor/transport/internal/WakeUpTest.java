package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WakeUpTest {
    private final AtomicInteger alarms = new AtomicInteger();
    private final WakeUp wakeUp = new WakeUp(alarms::incrementAndGet);

    @Test
    void leavesThoseAloneWhoAreAwake() {
        wakeUp.call();
        wakeUp.announceSleep();
        wakeUp.awake();
        wakeUp.call();
        assertThat(alarms).hasValue(0);
    }

    @Test
    void wakesASleeperOnce() {
        wakeUp.announceSleep();
        wakeUp.call();
        wakeUp.call();
        assertThat(alarms).hasValue(1);
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void losesNoCallBetweenThreads() throws InterruptedException {
        int producers = 3;
        int each = 50_000;
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        Semaphore alarm = new Semaphore(0);
        WakeUp call = new WakeUp(alarm::release);
        for (int producer = 0; producer < producers; producer++) {
            Thread thread = new Thread(() -> {
                for (int count = 0; count < each; count++) {
                    queue.add(count);
                    call.call();
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        int taken = 0;
        while (taken < producers * each) {
            if (queue.poll() != null) {
                taken++;
                continue;
            }
            call.announceSleep();
            if (queue.isEmpty()) {
                // a lost call leaves the rest in the queue and sleeps for ever
                assertThat(alarm.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            }
            call.awake();
        }
        assertThat(queue).isEmpty();
    }
}
