package io.gregor.broker.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.Scheduler;

/** Runs what is due when the test says so. */
final class ManualScheduler implements Scheduler {
    private final List<Task> tasks = new ArrayList<>();

    void runAll() {
        List<Task> due = List.copyOf(tasks);
        tasks.clear();
        due.stream().filter(task -> !task.isCancelled()).forEach(task -> task.work.run());
    }

    long waiting() {
        return tasks.stream().filter(task -> !task.isCancelled()).count();
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable work, long delayMs, long periodMs) {
        Task task = new Task(work, delayMs);
        tasks.add(task);
        return task;
    }

    @Override
    public void startup() {}

    @Override
    public void shutdown() {}

    @Override
    public void resizeThreadPool(int size) {}

    private static final class Task extends CompletableFuture<Void> implements ScheduledFuture<Void> {
        private final Runnable work;
        private final long delayMs;

        Task(Runnable work, long delayMs) {
            this.work = work;
            this.delayMs = delayMs;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(delayMs, TimeUnit.MILLISECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
