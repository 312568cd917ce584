package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.FilteredRequest;
import io.gregor.api.Request;
import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.request.Outgoing;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandlerGapTest {
    private static final short HEARTBEAT = 12;
    private static final short NEW_KEY = 10_000;
    private static final long TIMEOUT_MS = 10_000;

    private final HandlerServices services = new HandlerServices();
    private final HandlerRegistry registry = services.registry;
    private final RequestChannel channel = new RequestChannel(10);
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(registry, channel, dispatcher);
    private final FakeBundle bundle = new FakeBundle(5, "a");
    private final FakeConnection connection = new FakeConnection();
    private final AtomicInteger gaps = new AtomicInteger();

    @BeforeEach
    void letRequestsWait() {
        registry.onGap(gaps::incrementAndGet);
        registry.gapTimeoutMs(TIMEOUT_MS);
    }

    @Test
    void keyStaysInTheTableWithItsVersions() {
        FakeReference<RequestHandler> leaving = services.add(
                Request::respondNothing,
                new FakeReference<>(
                        7, 0, Map.of("api.key", new int[] {NEW_KEY}, "api.min.version", 1, "api.max.version", 4)));

        registry.remove(leaving);

        assertThat(registry.table().snapshot().apis())
                .containsExactly(new ApiVersion()
                        .setApiKey(NEW_KEY)
                        .setMinVersion((short) 1)
                        .setMaxVersion((short) 4));
        assertThat(gaps).hasValue(1);
    }

    @Test
    void requestWaitsAndGoesToTheHandlerThatComes() {
        registry.remove(services.add(bundle, Request::closeConnection, 0, HEARTBEAT));
        serve(connection);
        assertThat(connection.posted).isEmpty();
        assertThat(registry.table().waitingRequests()).isEqualTo(1);
        assertThat(registry.table().waitingBytes()).isPositive();

        services.add(bundle, Request::respondNothing, 0, HEARTBEAT);
        runOne();

        assertThat(connection.posted).singleElement().extracting(Outgoing::kind).isEqualTo(Outgoing.Kind.NOTHING);
        assertThat(registry.table().waitingRequests()).isZero();
        assertThat(registry.table().waitingBytes()).isZero();
    }

    @Test
    void filtersAreNotAskedAgainWhenItGoesOn() {
        AtomicInteger asked = new AtomicInteger();
        RequestFilter filter = new RequestFilter() {
            @Override
            public void filterRequest(FilteredRequest request) {
                asked.incrementAndGet();
            }
        };
        services.filters.add(filter, HEARTBEAT);
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        serve(connection);
        assertThat(asked).hasValue(1);

        services.add(bundle, Request::respondNothing, 0, HEARTBEAT);
        runOne();

        assertThat(connection.posted).hasSize(1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void connectionsAreClosedAndTheKeyLeavesWhenNoHandlerComesInTime() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        serve(connection);
        passMs(TIMEOUT_MS - 1);
        assertThat(registry.endGaps()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(connection.posted).isEmpty();

        passMs(1);
        assertThat(registry.endGaps()).isEqualTo(GapTimer.NOTHING);

        assertThat(connection.posted).singleElement().extracting(Outgoing::kind).isEqualTo(Outgoing.Kind.CLOSE);
        assertThat(registry.table().find(HEARTBEAT)).isNull();
        assertThat(registry.table().snapshot().apis()).isEmpty();
    }

    @Test
    void timeGoesOnWhileOtherHandlersComeAndGo() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        passMs(TIMEOUT_MS / 2);
        registry.remove(services.add(bundle, Request::respondNothing, 0, NEW_KEY));
        passMs(TIMEOUT_MS / 2);

        assertThat(registry.endGaps()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS / 2));

        assertThat(registry.table().find(HEARTBEAT)).isNull();
        assertThat(registry.table().find(NEW_KEY)).isNotNull();
    }

    @Test
    void newTimeCountsForRequestsThatWaitAlready() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        passMs(TIMEOUT_MS - 1);
        registry.gapTimeoutMs(2 * TIMEOUT_MS);
        assertThat(gaps).hasValue(2);
        passMs(TIMEOUT_MS);

        assertThat(registry.endGaps()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void withoutTimeNothingWaits() {
        registry.gapTimeoutMs(0);

        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));

        assertThat(registry.table().find(HEARTBEAT)).isNull();
    }

    @Test
    void nothingWaitsForABundleThatLeavesForGood() {
        services.add(bundle, Request::respondNothing, 0, HEARTBEAT);

        stand(Standing.LEAVING);

        assertThat(registry.table().find(HEARTBEAT)).isNull();
    }

    @Test
    void whatWaitsAlreadyIsClosedWhenItsBundleIsSaidToLeaveForGood() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        serve(connection);

        stand(Standing.LEAVING);

        assertThat(connection.posted).singleElement().extracting(Outgoing::kind).isEqualTo(Outgoing.Kind.CLOSE);
        assertThat(registry.table().find(HEARTBEAT)).isNull();
    }

    @Test
    void retiredBundleWithoutASuccessorForAKeyIsWaitedFor() {
        services.add(bundle, Request::respondNothing, 0, HEARTBEAT);

        stand(Standing.RETIRED);

        assertThat(registry.table().find(HEARTBEAT).waiting()).isNotNull();
    }

    @Test
    void nothingWaitsWhenTheNodeStops() {
        FakeReference<RequestHandler> first = services.add(bundle, Request::respondNothing, 0, HEARTBEAT);
        FakeReference<RequestHandler> second = services.add(bundle, Request::respondNothing, 0, NEW_KEY);
        registry.remove(first);
        serve(connection);

        services.isNodeStopping = true;
        registry.remove(second);

        assertThat(registry.table().all()).isEmpty();
        assertThat(connection.posted).singleElement().extracting(Outgoing::kind).isEqualTo(Outgoing.Kind.CLOSE);
    }

    @Test
    void waitsAreOverWhenTheyAreClosed() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, HEARTBEAT));
        serve(connection);

        registry.closeGaps();

        assertThat(connection.posted).hasSize(1);
        assertThat(registry.table().all()).isEmpty();
    }

    @Test
    void handlerThatCannotBeMadeIsFollowedByAWait() {
        registry.add(HandlerServices.serving(77, 0, HEARTBEAT));
        serve(connection);
        assertThat(registry.table().waitingRequests()).isEqualTo(1);

        services.add(bundle, Request::respondNothing, 0, HEARTBEAT);
        runOne();

        assertThat(connection.posted).hasSize(1);
    }

    @Test
    void handlerWithOtherVersionsOfANewKeyDoesNotGetThoseItDoesNotKnow() {
        registry.remove(services.add(bundle, Request::respondNothing, 0, NEW_KEY));
        intake.take(connection, Frames.newApi(NEW_KEY, 0), 1, () -> {});
        runOne();
        Map<String, Object> onlyOne =
                Map.of("api.key", new int[] {NEW_KEY}, "api.min.version", 1, "api.max.version", 1);

        services.add(Request::respondNothing, new FakeReference<>(99, 0, onlyOne));
        runOne();

        assertThat(connection.posted).singleElement().extracting(Outgoing::kind).isEqualTo(Outgoing.Kind.CLOSE);
    }

    @Test
    void noRequestIsLostWhileHandlersComeAndGo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicInteger served = new AtomicInteger();
        int requests = 5_000;
        RequestHandler serving = request -> {
            request.respondNothing();
            served.incrementAndGet();
        };
        registry.remove(services.add(bundle, serving, 0, HEARTBEAT));
        Future<?> clients = threads.submit(() -> {
            for (int i = 0; i < requests; i++) {
                intake.take(connection, Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()), 1, () -> {});
            }
        });
        Future<?> handler = threads.submit(() -> {
            HandlerSeat seat = new HandlerSeat(Thread.currentThread());
            while (served.get() < requests) {
                channel.take(seat).run(RequestLocal.noCaching());
            }
        });
        for (int i = 0; i < 2_000; i++) {
            FakeReference<RequestHandler> present = services.add(bundle, serving, 0, HEARTBEAT);
            registry.remove(present);
        }
        services.add(bundle, serving, 0, HEARTBEAT);
        clients.get(1, TimeUnit.MINUTES);
        handler.get(1, TimeUnit.MINUTES);
        threads.shutdown();

        assertThat(connection.posted).hasSize(requests).allMatch(answer -> answer.kind() == Outgoing.Kind.NOTHING);
    }

    private void stand(Standing standing) {
        services.standings.replace(Map.of(bundle.id(), standing));
        registry.refresh();
    }

    private void passMs(long ms) {
        services.nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private void serve(FakeConnection from) {
        intake.take(from, Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()), 1, () -> {});
        runOne();
    }

    private void runOne() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }
}
