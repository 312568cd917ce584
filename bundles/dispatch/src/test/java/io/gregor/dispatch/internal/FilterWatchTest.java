package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.api.RequestFilter;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.testing.FakeReference;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The test looks itself, at times of its own; the watch's thread sees the same clock. */
class FilterWatchTest {
    private static final int HEARTBEAT = FilterFixture.HEARTBEAT;
    private static final long LIMIT_MS = 5_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FilterFixture node = new FilterFixture();
    private final CountDownLatch isInside = new CountDownLatch(1);
    private final CountDownLatch mayLeave = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayLeave.countDown();
        node.filters.registry.close();
        await().atMost(PATIENCE).until(() -> !isThreadThere());
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "closed"})
    void callThatDoesNotReturnIsRefusedByAnotherThreadAndTheFilterIsOut(String fails) throws Exception {
        node.filters.add(Filters.onResponse(response -> node.seen.add("/before")), HEARTBEAT);
        node.filters.add(stuckOnRequest(), HEARTBEAT, "filter.fails", fails, "filter.time.ms", 1);
        Thread lost = stuckThread();

        passMs(LIMIT_MS - 1);
        lookUntilReplaced(0);
        passMs(1);
        lookUntilReplaced(1);

        assertThat(node.filters.replaced).containsExactly(lost);
        assertThat(node.connection.posted).isEmpty();
        node.runOne();
        assertThat(node.error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(node.seen).containsExactly("/before");
        FilterRow row = node.filters.registry.rows().get(1);
        assertThat(row.state()).isEqualTo(FilterRow.State.OUT);
        assertThat(row.reason()).contains("filter.limit.ms=5000");
        assertThat(row.faults()).isEqualTo(1);

        mayLeave.countDown();
        lost.join(PATIENCE.toMillis());
        assertThat(lost.isAlive()).isFalse();
        assertThat(node.connection.posted).hasSize(1);
        assertThat(node.seen).containsExactly("/before");
    }

    @Test
    void threadLostWithAResponseLeavesTheAnswerToAnother() throws Exception {
        node.filters.add(Filters.onResponse(response -> node.seen.add("/outer")), HEARTBEAT, "service.ranking", 1);
        node.filters.add(
                Filters.onResponse(response -> {
                    stay();
                    response.refuse(Errors.UNKNOWN_SERVER_ERROR, "too late");
                }),
                HEARTBEAT);
        Thread lost = stuckThread();

        passMs(LIMIT_MS);
        lookUntilReplaced(1);
        node.runOne();
        mayLeave.countDown();
        lost.join(PATIENCE.toMillis());

        assertThat(node.error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(node.seen).containsExactly("handler sent", "/outer");
        assertThat(node.filters.registry.inHand(-1)).isZero();
    }

    @Test
    void callThatReturnsInTimeIsNotTakenAway() throws Exception {
        node.filters.add(stuckOnRequest(), HEARTBEAT, "filter.time.ms", LIMIT_MS);
        Thread thread = stuckThread();
        passMs(LIMIT_MS - 1);
        node.filters.watch.look(node.filters.nowNs.get());
        mayLeave.countDown();
        thread.join(PATIENCE.toMillis());
        passMs(LIMIT_MS);
        node.filters.watch.look(node.filters.nowNs.get());

        assertThat(node.error()).isEqualTo(Errors.NONE);
        assertThat(node.filters.replaced).isEmpty();
    }

    @Test
    void looksAsOftenAsTheShortestLimitAndNotAtAllWithoutCalls() {
        node.filters.registry.close();
        await().atMost(PATIENCE).until(() -> !isThreadThere());
        FilterWatch watch = new FilterWatch("unused", lost -> "", node.filters.nowNs::get, () -> 0);
        BoundFilter filter = new BoundFilter(
                new FakeReference<>(1, 0, Map.of("api.key", HEARTBEAT, "filter.limit.ms", 700), null),
                node.filters,
                new FilterOrder(0, 1, 1, "", ""),
                node.filters.nowNs::get);
        assertThat(watch.look(0)).isEqualTo(FilterWatch.NO_LIMIT);

        CallSlot slot = watch.slot();
        slot.begin(filter, new FilterPass(null, watch, 1), 0);
        passMs(200);
        assertThat(watch.look(node.filters.nowNs.get())).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        slot.end();
        assertThat(watch.look(node.filters.nowNs.get())).isEqualTo(FilterWatch.NO_LIMIT);
    }

    @Test
    void threadIsThereOnlyWhileThereAreFilters() {
        assertThat(isThreadThere()).isFalse();
        FakeReference<RequestFilter> one = node.filters.add(Filters.onRequest(request -> {}), HEARTBEAT);
        FakeReference<RequestFilter> two = node.filters.add(Filters.onRequest(request -> {}), HEARTBEAT);
        assertThat(isThreadThere()).isTrue();
        node.filters.remove(one);
        assertThat(isThreadThere()).isTrue();
        node.filters.remove(two);
        await().atMost(PATIENCE).until(() -> !isThreadThere());
    }

    @Test
    void sleepingWatchIsWokenByACall() throws Exception {
        node.filters.add(stuckOnRequest(), HEARTBEAT, "filter.time.ms", 1, "filter.limit.ms", 1);
        await().atMost(PATIENCE).until(() -> state() == Thread.State.WAITING);

        stuckThread();
        passMs(2);

        await().atMost(PATIENCE).until(() -> node.filters.replaced.size() == 1);
    }

    @Test
    void filterThatLeavesIsWaitedForUntilNoThreadIsInside() throws Exception {
        FakeReference<RequestFilter> filter = node.filters.add(stuckOnRequest(), HEARTBEAT);
        Thread inside = stuckThread();
        Thread removing = new Thread(() -> node.filters.remove(filter));
        removing.start();
        await().atMost(PATIENCE)
                .until(() ->
                        node.services.registry.table().find((short) HEARTBEAT).filters() == null);
        assertThat(node.filters.closed).isEmpty();

        mayLeave.countDown();
        inside.join(PATIENCE.toMillis());
        removing.join(PATIENCE.toMillis());

        assertThat(node.filters.closed).hasSize(1);
        assertThat(node.error()).isEqualTo(Errors.NONE);
    }

    private RequestFilter stuckOnRequest() {
        return Filters.onRequest(request -> stay());
    }

    private void stay() {
        isInside.countDown();
        try {
            mayLeave.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private Thread stuckThread() throws InterruptedException {
        Thread thread = new Thread(node::heartbeat, "stuck");
        thread.start();
        assertThat(isInside.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return thread;
    }

    private void lookUntilReplaced(int count) {
        node.filters.watch.look(node.filters.nowNs.get());
        await().atMost(PATIENCE).until(() -> node.filters.replaced.size() == count);
    }

    private void passMs(long ms) {
        node.filters.nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private boolean isThreadThere() {
        return state() != Thread.State.TERMINATED;
    }

    private Thread.State state() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(node.filters.watchName))
                .map(Thread::getState)
                .findAny()
                .orElse(Thread.State.TERMINATED);
    }
}
