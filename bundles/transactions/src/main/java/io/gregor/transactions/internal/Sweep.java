package io.gregor.transactions.internal;

import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that comes again after each interval, on the timer's thread, which it must not hold up. Owned by the timer. */
public final class Sweep extends TimerTask {
    private static final Logger LOGGER = LoggerFactory.getLogger(Sweep.class);

    private final Timer timer;
    private final Runnable work;

    private Sweep(Timer timer, long intervalMs, Runnable work) {
        super(intervalMs);
        this.timer = timer;
        this.work = work;
    }

    /** Begins after the first interval, and ends with the timer. */
    public static void every(long intervalMs, Timer timer, Runnable work) {
        timer.add(new Sweep(timer, intervalMs, work));
    }

    @Override
    public void run() {
        try {
            work.run();
        } catch (RuntimeException fault) {
            LOGGER.error("transactions could not be looked through", fault);
        }
        timer.add(new Sweep(timer, delayMs, work));
    }
}
