package io.gregor.itest.soak;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** All kinds of work at once, for a while. Owned by the test thread. */
final class Workload {
    private static final Duration LIMIT_TO_END = Duration.ofSeconds(90);

    private static final long MINUTE_MS = TimeUnit.MINUTES.toMillis(1);

    private final Map<String, Work> works;
    private final Map<String, LongAdder> counts = new LinkedHashMap<>();
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());

    Workload(Map<String, Work> works) {
        this.works = works;
        works.keySet().forEach(name -> counts.put(name, new LongAdder()));
    }

    /** Returns when the time is over or something has failed, and all work has ended. */
    void run(GregorProcess node, Duration time, Runnable eachMinute) throws InterruptedException {
        Ending ending = new Ending();
        List<Thread> threads = new ArrayList<>();
        works.forEach((name, work) -> {
            Thread thread = new Thread(() -> go(name, work, node, ending), "soak-" + name);
            thread.start();
            threads.add(thread);
        });
        long endNs = System.nanoTime() + time.toNanos();
        for (long leftNs = time.toNanos(); leftNs > 0 && !ending.isOver(); leftNs = endNs - System.nanoTime()) {
            boolean hasFailed = ending.isOverAfter(Math.min(TimeUnit.NANOSECONDS.toMillis(leftNs) + 1, MINUTE_MS));
            if (!hasFailed) {
                eachMinute.run();
            }
        }
        ending.end();
        for (Thread thread : threads) {
            thread.join(LIMIT_TO_END.toMillis());
            if (thread.isAlive()) {
                faults.add(thread.getName() + " does not end");
            }
        }
    }

    private void go(String name, Work work, GregorProcess node, Ending ending) {
        try {
            work.go(node, ending, counts.get(name)::increment);
        } catch (Exception | AssertionError fault) {
            faults.add(name + ": " + fault);
            ending.end();
        }
    }

    /** What has failed. */
    List<String> faults() {
        return faults;
    }

    /** How much of each kind has been done. */
    Map<String, Long> done() {
        Map<String, Long> done = new LinkedHashMap<>();
        counts.forEach((name, count) -> done.put(name, count.sum()));
        return done;
    }
}
