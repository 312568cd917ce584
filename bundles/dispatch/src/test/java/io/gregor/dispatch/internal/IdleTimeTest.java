package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleTimeTest {
    private final AtomicLong clock = new AtomicLong(1_000);
    private final IdleTime idle = new IdleTime();

    @Test
    void growsWhileThreadsSleepAndNotWhileTheyWork() {
        Sleeper sleeper = new Sleeper();
        idle.add(sleeper.seat, clock.get());
        sleeper.fallAsleep();
        assertThat(idle.ns(clock.addAndGet(500))).isEqualTo(500);
        assertThat(idle.ns(clock.addAndGet(100))).isEqualTo(600);

        sleeper.wake();

        assertThat(idle.ns(clock.addAndGet(700))).isEqualTo(600);
    }

    @Test
    void isTheMeanOfTheThreadsThatThereAre() {
        Sleeper sleeper = new Sleeper();
        Sleeper worker = new Sleeper();
        idle.add(sleeper.seat, clock.get());
        idle.add(worker.seat, clock.get());
        sleeper.fallAsleep();
        assertThat(idle.ns(clock.addAndGet(1_000))).isEqualTo(500);

        idle.remove(worker.seat, clock.get());

        assertThat(idle.ns(clock.addAndGet(1_000))).isEqualTo(1_500);
        idle.remove(sleeper.seat, clock.addAndGet(100));
        assertThat(idle.ns(clock.addAndGet(1_000))).isEqualTo(1_600);
        sleeper.wake();
    }

    @Test
    void doesNotFallForAThreadThatLooksALittleLate() {
        Sleeper sleeper = new Sleeper();
        idle.add(sleeper.seat, clock.get());
        sleeper.fallAsleep();
        assertThat(idle.ns(2_000)).isEqualTo(1_000);
        assertThat(idle.ns(1_900)).isEqualTo(1_000);
        sleeper.wake();
    }

    /** A thread at a seat. */
    private final class Sleeper {
        private final Thread thread = new Thread(this::run);
        private final HandlerSeat seat = new HandlerSeat(thread, clock::get);

        private void run() {
            seat.sleep();
        }

        void fallAsleep() {
            thread.start();
            await().until(() -> thread.getState() == Thread.State.WAITING);
        }

        void wake() {
            seat.call();
            await().until(() -> !thread.isAlive());
        }
    }
}
