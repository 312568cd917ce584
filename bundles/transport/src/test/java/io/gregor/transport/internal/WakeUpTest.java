package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
}
