package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestChannelTest {
    private final List<Thread> takers = new CopyOnWriteArrayList<>();
    private final List<HandlerSeat> seats = new CopyOnWriteArrayList<>();
    private final RequestChannel channel = new RequestChannel(4);

    @AfterEach
    void everyTakerEnds() throws Exception {
        channel.close();
        for (Thread taker : takers) {
            taker.join(10_000);
            assertThat(taker.isAlive()).isFalse();
        }
    }

    @Test
    void handsOutRequestsInTheirOrder() {
        List<String> done = new CopyOnWriteArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            channel.put(new Task(false, () -> done.add(name)));
        }
        startTaker();
        await().until(() -> done.equals(List.of("a", "b", "c")));
    }

    @Test
    void followUpWorkIsServedBeforeRequests() {
        List<String> done = new CopyOnWriteArrayList<>();
        channel.put(new Task(false, () -> done.add("request")));
        channel.putFollowUp(new Task(false, () -> done.add("follow-up")));
        startTaker();
        await().until(() -> done.equals(List.of("follow-up", "request")));
    }

    @Test
    void followUpWorkIsTakenWhenTheChannelIsFull() {
        for (int i = 0; i < 4; i++) {
            channel.put(new Task(false, () -> {}));
        }
        assertThat(channel.putFollowUp(new Task(false, () -> {}))).isTrue();
    }

    @Test
    void putBlocksWhileTheChannelIsFullAndGoesOnWhenThereIsRoom() {
        AtomicInteger done = new AtomicInteger();
        List<Thread> putters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            channel.put(new Task(false, done::incrementAndGet));
        }
        for (int i = 0; i < 3; i++) {
            putters.add(start(() -> channel.put(new Task(false, done::incrementAndGet))));
        }
        await().until(() -> putters.stream().allMatch(putter -> putter.getState() == Thread.State.WAITING));
        assertThat(channel.depth()).isEqualTo(4);

        startTaker();

        await().until(() -> done.get() == 7);
    }

    @Test
    void moreRoomLetsBlockedPutsIn() {
        for (int i = 0; i < 4; i++) {
            channel.put(new Task(false, () -> {}));
        }
        Thread first = start(() -> channel.put(new Task(false, () -> {})));
        Thread second = start(() -> channel.put(new Task(false, () -> {})));
        await().until(() -> isWaiting(first) && isWaiting(second));

        channel.resize(6);

        await().until(() -> !first.isAlive() && !second.isAlive());
        assertThat(channel.depth()).isEqualTo(6);
    }

    @Test
    void lessRoomLosesNothingAndHoldsPutsBackUntilThereIsRoom() {
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            channel.put(new Task(false, done::incrementAndGet));
        }
        channel.resize(2);
        Thread putter = start(() -> channel.put(new Task(false, done::incrementAndGet)));
        await().until(() -> isWaiting(putter));
        HandlerSeat here = new HandlerSeat(Thread.currentThread());

        runOne(here);
        runOne(here);
        assertThat(isWaiting(putter)).isTrue();
        runOne(here);

        await().until(() -> !putter.isAlive());
        assertThat(channel.depth()).isEqualTo(2);
        runOne(here);
        runOne(here);
        assertThat(done).hasValue(5);
    }

    @Test
    void changingRoomUnderLoadLosesNothing() throws Exception {
        AtomicInteger done = new AtomicInteger();
        List<Thread> putters = new ArrayList<>();
        startTaker();
        startTaker();
        for (int i = 0; i < 4; i++) {
            putters.add(start(() -> {
                for (int n = 0; n < 5_000; n++) {
                    channel.put(new Task(false, done::incrementAndGet));
                }
            }));
        }
        for (int i = 0; putters.stream().anyMatch(Thread::isAlive); i++) {
            channel.resize(1 + i % 7);
            Thread.yield();
        }
        for (Thread putter : putters) {
            putter.join();
        }
        await().until(() -> done.get() == 20_000);
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING;
    }

    private void runOne(HandlerSeat seat) {
        Work work = channel.take(seat);
        assertThat(work).isNotNull();
        work.run(RequestLocal.noCaching());
    }

    @Test
    void closingReleasesBlockedPutsAndAbandonsWhatWaits() {
        List<Task> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Task task = new Task(false, () -> {});
            waiting.add(task);
            channel.put(task);
        }
        AtomicBoolean taken = new AtomicBoolean(true);
        Thread putter = start(() -> taken.set(channel.put(new Task(false, () -> {}))));
        await().until(() -> putter.getState() == Thread.State.WAITING);

        channel.close();

        await().until(() -> !putter.isAlive());
        assertThat(taken).isFalse();
        assertThat(waiting).allMatch(task -> task.abandoned.get());
        assertThat(channel.putFollowUp(new Task(false, () -> {}))).isFalse();
    }

    @Test
    void wakesTheThreadThatFellAsleepLast() {
        List<Thread> done = new CopyOnWriteArrayList<>();
        startTaker();
        await().until(() -> channel.sleepingThreads() == 1);
        Thread last = startTaker();
        await().until(() -> channel.sleepingThreads() == 2);

        for (int i = 1; i <= 5; i++) {
            int number = i;
            channel.put(new Task(false, () -> done.add(Thread.currentThread())));
            await().until(() -> done.size() == number && channel.sleepingThreads() == 2);
        }

        assertThat(done).containsOnly(last);
    }

    @Test
    void blockedThreadDoesNotHoldUpWhatComesAfterIt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(2);
        for (int i = 0; i < 3; i++) {
            startTaker();
        }
        await().until(() -> channel.sleepingThreads() == 3);
        channel.put(new Task(false, () -> awaitQuietly(release)));
        channel.put(new Task(false, others::countDown));
        channel.put(new Task(false, others::countDown));

        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void briefWorkWakesNoSecondThread() {
        AtomicBoolean hold = new AtomicBoolean(true);
        AtomicBoolean entered = new AtomicBoolean();
        List<Thread> done = new CopyOnWriteArrayList<>();
        startTaker();
        startTaker();
        await().until(() -> channel.sleepingThreads() == 2);
        channel.put(new Task(true, () -> {
            entered.set(true);
            while (hold.get()) {
                Thread.onSpinWait();
            }
            done.add(Thread.currentThread());
        }));
        await().until(entered::get);

        channel.put(new Task(true, () -> done.add(Thread.currentThread())));
        channel.put(new Task(false, () -> done.add(Thread.currentThread())));

        assertThat(channel.sleepingThreads()).isEqualTo(1);
        hold.set(false);
        await().until(() -> done.size() == 3);
        assertThat(done.get(1)).isSameAs(done.get(0));
    }

    @Test
    void retiredThreadPassesItsCallOn() {
        AtomicInteger done = new AtomicInteger();
        startTaker();
        startTaker();
        await().until(() -> channel.sleepingThreads() == 2);
        channel.retire(seats.get(1));
        channel.put(new Task(false, done::incrementAndGet));
        await().until(() -> done.get() == 1 && !takers.get(1).isAlive());
    }

    @Test
    void interruptOfASleepingThreadIsHarmless() {
        AtomicInteger done = new AtomicInteger();
        Thread taker = startTaker();
        await().until(() -> channel.sleepingThreads() == 1);
        taker.interrupt();
        channel.put(new Task(false, done::incrementAndGet));
        await().until(() -> done.get() == 1);
        await().until(() -> taker.getState() == Thread.State.WAITING);
    }

    @Test
    void oneCallDoesForAllRequestsOfATurn() {
        List<Thread> done = new CopyOnWriteArrayList<>();
        startTaker();
        startTaker();
        await().until(() -> channel.sleepingThreads() == 2);

        for (int i = 0; i < 3; i++) {
            channel.putInTurn(new Task(true, () -> done.add(Thread.currentThread())));
        }
        assertThat(done).isEmpty();
        assertThat(channel.sleepingThreads()).isEqualTo(2);
        channel.settle();

        await().until(() -> done.size() == 3);
        assertThat(done).containsOnly(done.get(0));
    }

    @Test
    void fullChannelIsSettledBeforeTheTurnEnds() {
        AtomicInteger done = new AtomicInteger();
        startTaker();
        await().until(() -> channel.sleepingThreads() == 1);
        for (int i = 0; i < 6; i++) {
            channel.putInTurn(new Task(false, done::incrementAndGet));
        }
        channel.settle();
        await().until(() -> done.get() == 6);
    }

    /** Every put is done, with sleeping threads, a full queue, brief and long work and follow-ups mixed at random speed. */
    @Test
    void nothingIsForgottenUnderLoad() throws Exception {
        AtomicLong done = new AtomicLong();
        for (int i = 0; i < 5; i++) {
            startTaker();
        }
        int perPutter = 10_000;
        List<Thread> putters = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            int seed = p;
            putters.add(start(() -> putMany(seed, perPutter, done)));
        }
        for (Thread putter : putters) {
            putter.join();
        }
        await().until(() -> done.get() == 3L * perPutter);
        await().until(() -> channel.sleepingThreads() == 5);
    }

    /** One request at a time: each of the 10,000 rounds needs its own wake-up. */
    @Test
    void noWakeUpIsLostWhenThreadsFallAsleepBetweenRequests() {
        AtomicLong done = new AtomicLong();
        startTaker();
        startTaker();
        for (int i = 1; i <= 10_000; i++) {
            channel.put(new Task(i % 3 == 0, done::incrementAndGet));
            while (done.get() < i) {
                Thread.onSpinWait();
            }
        }
        assertThat(done.get()).isEqualTo(10_000);
    }

    private void putMany(int seed, int count, AtomicLong done) {
        java.util.Random random = new java.util.Random(seed);
        for (int i = 0; i < count; i++) {
            Task task = new Task(random.nextBoolean(), done::incrementAndGet);
            if (random.nextInt(4) == 0) {
                channel.putFollowUp(task);
            } else if (random.nextBoolean()) {
                channel.put(task);
            } else {
                channel.putInTurn(task);
            }
            if (random.nextInt(50) == 0) {
                channel.settle();
                Thread.yield();
            }
        }
        channel.settle();
    }

    private Thread startTaker() {
        Thread taker = new Thread(() -> {
            HandlerSeat seat = seats.get(takers.indexOf(Thread.currentThread()));
            for (Work work = channel.take(seat); work != null; work = channel.take(seat)) {
                work.run(RequestLocal.noCaching());
            }
        });
        seats.add(new HandlerSeat(taker));
        takers.add(taker);
        taker.start();
        return taker;
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Task implements Work {
        final AtomicBoolean abandoned = new AtomicBoolean();
        private final boolean brief;
        private final Runnable work;

        Task(boolean brief, Runnable work) {
            this.brief = brief;
            this.work = work;
        }

        @Override
        public boolean isBrief() {
            return brief;
        }

        @Override
        public void run(RequestLocal local) {
            work.run();
        }

        @Override
        public void abandon() {
            abandoned.set(true);
        }
    }
}
