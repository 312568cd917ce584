package io.gregor.internal.replication;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;

/**
 * A timer whose reaper sleeps until something is due. The purgatory's reaper asks for at most 200 ms a turn, five times a
 * second for nothing; here it is woken by the next deadline, and by {@link #wake} before it is stopped. What it does each turn
 * besides (clearing out completed operations) is needed only after new ones came, which have deadlines. Shared: any thread.
 */
public final class QuietTimer implements Timer {
    private static final long LONGEST_SLEEP_MS = TimeUnit.HOURS.toMillis(1);

    /** So long that the task waits in the timer and wakes the reaper: one that is due is run at once, and wakes nobody. */
    private static final long WAKING_DELAY_MS = 2;

    private final SystemTimer timer;
    private volatile boolean awake;

    /**
     * A timer that sleeps.
     *
     * @param executorName its tasks are run by a thread named after it
     */
    public QuietTimer(String executorName) {
        timer = new SystemTimer(executorName);
    }

    /** Ends the reaper's sleep; from now on it turns as often as it asks to. */
    public void wake() {
        awake = true;
        timer.add(new TimerTask(WAKING_DELAY_MS) {
            @Override
            public void run() {
                // being due is all that it is for
            }
        });
    }

    @Override
    public void add(TimerTask task) {
        timer.add(task);
    }

    @Override
    public boolean advanceClock(long timeoutMs) throws InterruptedException {
        return timer.advanceClock(awake ? timeoutMs : Math.max(timeoutMs, LONGEST_SLEEP_MS));
    }

    @Override
    public int size() {
        return timer.size();
    }

    @Override
    public void close() {
        timer.close();
    }
}
