package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandlerPoolTest {
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final RequestChannel channel = new RequestChannel(100);
    private final HandlerPool pool = new HandlerPool(
            channel,
            (message, fault) -> {
                faults.add(fault);
                return new RuntimeException(message, fault);
            },
            new IdleTime());

    @AfterEach
    void close() {
        pool.close(Duration.ofSeconds(10));
    }

    @Test
    void threadsAreDaemonsWithKafkasNamesAndTheEnginesClassLoader() {
        pool.resize(2);
        List<Thread> used = new CopyOnWriteArrayList<>();
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            channel.put(new OneOff(() -> {
                used.add(Thread.currentThread());
                both.countDown();
                awaitQuietly(both);
            }));
        }
        await().until(() -> used.size() == 2);
        assertThat(used)
                .extracting(Thread::getName)
                .containsExactlyInAnyOrder("data-plane-kafka-request-handler-0", "data-plane-kafka-request-handler-1");
        assertThat(used).allMatch(Thread::isDaemon);
        assertThat(used).allMatch(thread -> thread.getContextClassLoader() == Utils.class.getClassLoader());
    }

    @Test
    void shrinkingEndsThreadsAfterTheRequestInHand() {
        pool.resize(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        List<Thread> worker = new CopyOnWriteArrayList<>();
        channel.put(new OneOff(() -> {
            worker.add(Thread.currentThread());
            awaitQuietly(release);
            done.incrementAndGet();
        }));
        await().until(() -> worker.size() == 1);

        pool.resize(0);
        channel.put(new OneOff(done::incrementAndGet));
        release.countDown();

        await().until(() -> !worker.get(0).isAlive());
        assertThat(done).hasValue(1);
        assertThat(channel.depth()).isEqualTo(1);
        pool.resize(1);
        await().until(() -> done.get() == 2);
    }

    @Test
    void lostThreadIsReplacedByOneOfItsNameAndEndsIfItComesBack() throws Exception {
        pool.resize(1);
        CountDownLatch release = new CountDownLatch(1);
        List<Thread> workers = new CopyOnWriteArrayList<>();
        channel.put(new OneOff(() -> {
            workers.add(Thread.currentThread());
            awaitQuietly(release);
        }));
        await().until(() -> workers.size() == 1);
        Thread lost = workers.get(0);
        channel.put(new OneOff(() -> workers.add(Thread.currentThread())));

        String name = pool.replace(lost);

        await().until(() -> workers.size() == 2);
        assertThat(name).isEqualTo("gregor-lost-request-handler-0").isEqualTo(lost.getName());
        assertThat(workers.get(1).getName()).isEqualTo("data-plane-kafka-request-handler-0");
        assertThat(pool.size()).isEqualTo(1);
        assertThat(lost.isInterrupted()).isFalse();
        release.countDown();
        lost.join(10_000);
        assertThat(lost.isAlive()).isFalse();
        channel.put(new OneOff(() -> workers.add(Thread.currentThread())));
        await().until(() -> workers.size() == 3);
        assertThat(workers.get(2)).isSameAs(workers.get(1));
    }

    @Test
    void faultOfTheLoopItselfIsReported() {
        pool.resize(1);
        IllegalStateException broken = new IllegalStateException("broken invariant");
        channel.put(new OneOff(() -> {
            throw broken;
        }));
        await().until(() -> faults.equals(List.of(broken)));
    }

    @Test
    void closingLeavesNoThread() {
        pool.resize(3);
        await().until(() -> channel.sleepingThreads() == 3);
        pool.close(Duration.ofSeconds(10));
        assertThat(pool.size()).isZero();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("data-plane-kafka-request-handler-"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Work whose fault is not held inside, as if the loop itself had it. */
    private record OneOff(Runnable work) implements Work {
        @Override
        public boolean isBrief() {
            return false;
        }

        @Override
        public void run(RequestLocal local) {
            work.run();
        }

        @Override
        public void abandon() {}
    }
}
