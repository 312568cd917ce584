package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.FilteredRequest;
import io.gregor.api.Request;
import io.gregor.api.RequestFilter;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Standing;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterFaultsTest {
    private static final int HEARTBEAT = FilterFixture.HEARTBEAT;
    private static final RuntimeException PLANNED = new IllegalStateException("planned by the test");

    private final FilterFixture node = new FilterFixture();

    @AfterEach
    void close() {
        node.filters.registry.close();
    }

    @Test
    void openFilterThatThrowsHasChangedNothing() {
        node.filters.add(
                Filters.onRequest(request -> {
                    replaceGroup(request);
                    request.answer(new HeartbeatResponse(new HeartbeatResponseData()));
                    throw PLANNED;
                }),
                HEARTBEAT);

        node.heartbeat();

        assertThat(node.seen).containsExactly("handler sent");
        assertThat(node.error()).isEqualTo(Errors.NONE);
    }

    @Test
    void closedFilterThatThrowsRefusesAndThoseBeforeSeeTheResponse() {
        node.filters.add(Filters.onResponse(response -> node.seen.add("/before")), HEARTBEAT);
        node.filters.add(
                Filters.onBoth(
                        request -> {
                            throw new StackOverflowError();
                        },
                        response -> node.seen.add("/failed")),
                HEARTBEAT,
                "filter.fails",
                "closed");

        node.heartbeat();

        assertThat(node.seen).containsExactly("/before");
        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
    }

    @Test
    void responseFilterThatThrowsLeavesTheResponseOrRefusesIt() {
        FakeReference<RequestFilter> open = node.filters.add(throwingOnResponse(), HEARTBEAT);
        node.heartbeat();
        assertThat(node.error()).isEqualTo(Errors.NONE);

        node.filters.remove(open);
        node.filters.add(throwingOnResponse(), HEARTBEAT, "filter.fails", "closed");
        node.heartbeat();
        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
    }

    @Test
    void lateOrGreedyCallIsAFaultWhoseResultCounts() {
        node.filters.add(
                Filters.onRequest(request -> {
                    replaceGroup(request);
                    passMs(101);
                }),
                HEARTBEAT,
                "filter.fails",
                "closed");
        node.filters.add(
                Filters.onRequest(request -> node.filters.allocatedBytes.addAndGet(17L * 1024 * 1024)), HEARTBEAT);

        node.heartbeat();

        assertThat(node.seen).containsExactly("handler changed");
        assertThat(node.filters.registry.rows()).extracting(FilterRow::faults).containsExactly(1L, 1L);
        assertThat(node.filters.registry.rows()).extracting(FilterRow::calls).containsExactly(1L, 1L);
        assertThat(node.filters.registry.rows().get(0).meanNs()).isEqualTo(101_000_000);
        assertThat(node.filters.registry.rows().get(1).allocatedBytes()).isEqualTo(17L * 1024 * 1024);
    }

    @Test
    void tooManyFaultsPutItOutUntilItIsTriedAgain() {
        node.filters.add(counting(), HEARTBEAT, "filter.faults", 3, "component.name", "faulty");
        for (int i = 0; i < 5; i++) {
            node.heartbeat();
        }
        FilterRow row = node.filters.registry.rows().get(0);
        assertThat(row.calls()).isEqualTo(3);
        assertThat(row.state()).isEqualTo(FilterRow.State.OUT);
        assertThat(row.reason()).contains("planned by the test", "filter.window.ms=60000");
        assertThat(node.seen).hasSize(5);

        assertThat(node.filters.registry.tryAgain("other")).isFalse();
        assertThat(node.filters.registry.tryAgain("faulty")).isTrue();
        assertThat(node.filters.registry.tryAgain("faulty")).isFalse();
        node.heartbeat();
        assertThat(node.filters.registry.rows().get(0).calls()).isEqualTo(4);
        assertThat(node.filters.registry.rows().get(0).state()).isEqualTo(FilterRow.State.IN);
    }

    @Test
    void faultsOutsideOfTheWindowDoNotCount() {
        node.filters.add(counting(), HEARTBEAT, "filter.faults", 2, "filter.window.ms", 1_000);
        for (int i = 0; i < 5; i++) {
            node.heartbeat();
            passMs(1_001);
        }
        assertThat(node.filters.registry.rows().get(0).state()).isEqualTo(FilterRow.State.IN);
        assertThat(node.filters.registry.rows().get(0).faults()).isEqualTo(5);
    }

    @Test
    void closedFilterThatIsOutRefusesItsRequests() {
        node.filters.add(counting(), HEARTBEAT, "filter.faults", 1, "filter.fails", "closed");
        node.heartbeat();
        node.heartbeat();

        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(node.filters.registry.rows().get(0).calls()).isEqualTo(1);
        assertThat(node.seen).isEmpty();
    }

    @Test
    void closedFilterThatGoesOutMeanwhileHasTheResponseRefused() {
        AtomicReference<Request> kept = new AtomicReference<>();
        AtomicReference<Boolean> fails = new AtomicReference<>(false);
        node.filters.add(
                Filters.onBoth(
                        request -> {
                            if (fails.get()) {
                                throw PLANNED;
                            }
                        },
                        response -> node.seen.add("/filter")),
                HEARTBEAT,
                "filter.fails",
                "closed",
                "filter.faults",
                1);
        node.handler(kept::set);
        node.heartbeat();
        fails.set(true);
        node.heartbeat();
        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
        node.connection.posted.clear();

        kept.get().later(() -> kept.get().respond(new HeartbeatResponseData()));
        node.runOne();

        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(node.seen).isEmpty();
    }

    @Test
    void wrongPropertiesPutItOutForGood() {
        node.filters.add(
                Filters.onRequest(request -> node.seen.add("seen")),
                HEARTBEAT,
                "filter.time.ms",
                "soon",
                "filter.fails",
                "closed",
                "component.name",
                "wrong");

        node.heartbeat();

        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(node.seen).isEmpty();
        assertThat(node.filters.registry.rows().get(0).reason())
                .isEqualTo("filter.time.ms=soon must be a whole number from 1 to 2147483647");
        assertThat(node.filters.registry.tryAgain("wrong")).isFalse();
    }

    @Test
    void filterWithoutAnObjectIsOut() {
        node.filters.add(null, HEARTBEAT);
        node.heartbeat();
        assertThat(node.error()).isEqualTo(Errors.NONE);
        assertThat(node.filters.registry.rows().get(0).reason()).contains("could not be activated");

        node.filters.add(null, HEARTBEAT, "filter.fails", "closed");
        node.heartbeat();
        assertThat(node.error()).isEqualTo(Errors.POLICY_VIOLATION);
    }

    @Test
    void interruptThatAFilterLeavesBehindDoesNotReachTheHandler() {
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        node.filters.add(Filters.onRequest(request -> Thread.currentThread().interrupt()), HEARTBEAT);
        node.handler(request -> {
            interrupted.set(Thread.currentThread().isInterrupted());
            request.respondNothing();
        });

        node.heartbeat();

        assertThat(interrupted).hasValue(false);
    }

    @Test
    void whatAFilterHasInHandIsCountedUntilItHasSeenTheResponse() {
        AtomicReference<Request> kept = new AtomicReference<>();
        FakeBundle bundle = new FakeBundle(5, "plugin");
        node.filters.add(bundle.bundle(), Filters.onResponse(response -> node.seen.add("/filter")), HEARTBEAT);
        node.handler(kept::set);
        node.heartbeat();
        assertThat(node.filters.registry.inHand(bundle.id())).isEqualTo(1);

        node.services.standings.replace(Map.of(bundle.id(), Standing.RETIRED));
        node.services.registry.refresh();
        kept.get().later(() -> kept.get().respond(new HeartbeatResponseData()));
        node.runOne();

        assertThat(node.seen).containsExactly("/filter");
        assertThat(node.filters.registry.inHand(bundle.id())).isZero();
    }

    @Test
    void filterThatHasLeftIsGivenBackAndItsCallsStayInTheAccountOfItsBundle() {
        FakeBundle bundle = new FakeBundle(5, "plugin");
        FakeReference<RequestFilter> filter =
                node.filters.add(bundle.bundle(), Filters.onRequest(request -> passMs(2)), HEARTBEAT);
        node.heartbeat();
        node.filters.remove(filter);
        node.filters.add(bundle.bundle(), Filters.onRequest(request -> passMs(3)), HEARTBEAT);
        node.heartbeat();

        assertThat(node.filters.closed).isEqualTo(List.of(filter));
        FilterAccount account = node.filters.registry.accounts().get(0);
        assertThat(account.calls()).isEqualTo(2);
        assertThat(account.ns()).isEqualTo(5_000_000);
        bundle.uninstall();
        node.filters.remove(node.filters.add(Filters.onRequest(request -> {}), HEARTBEAT));
    }

    private static RequestFilter throwingOnResponse() {
        return Filters.onResponse(response -> {
            response.refuse(Errors.UNKNOWN_SERVER_ERROR, "is dropped");
            throw PLANNED;
        });
    }

    private static RequestFilter counting() {
        return Filters.onRequest(request -> {
            throw PLANNED;
        });
    }

    private static void replaceGroup(FilteredRequest request) {
        request.replaceBody(new HeartbeatRequest.Builder(new HeartbeatRequestData().setGroupId("changed"))
                .build(request.apiVersion()));
    }

    private void passMs(long ms) {
        node.filters.nowNs.addAndGet(Duration.ofMillis(ms).toNanos());
    }
}
