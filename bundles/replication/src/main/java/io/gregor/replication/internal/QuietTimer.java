package io.gregor.replication.internal;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;

/**
 * A timer whose reaper sleeps until something is due. The purgatory's reaper asks for at most 200 ms a turn, five times a
 * second for nothing; here it is woken by the next deadline, and at shutdown by the task that the purgatory then adds. What it
 * does each turn besides (clearing out completed operations) is needed only after new ones came, which have deadlines.
 * Shared: any thread.
 */
final class QuietTimer implements Timer {
    private static final long LONGEST_SLEEP_MS = TimeUnit.HOURS.toMillis(1);

    private final SystemTimer timer;

    QuietTimer(String executorName) {
        timer = new SystemTimer(executorName);
    }

    @Override
    public void add(TimerTask task) {
        timer.add(task);
    }

    @Override
    public boolean advanceClock(long timeoutMs) throws InterruptedException {
        return timer.advanceClock(Math.max(timeoutMs, LONGEST_SLEEP_MS));
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
