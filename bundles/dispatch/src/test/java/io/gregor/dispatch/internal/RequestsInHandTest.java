package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.request.Hurried;
import io.gregor.internal.transport.ConnectionControl;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;

class RequestsInHandTest {
    private static final int HEARTBEAT = 12;

    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final RoleBundles bundles = new RoleBundles(
            services.standings, services.registry, services.bundles, services.filters.registry, new StatsSlots());
    private final FakeBundle first = new FakeBundle(5, "first");
    private final FakeBundle second = new FakeBundle(6, "second");
    private final FakeConnection connection = new FakeConnection();
    private final LinkedBlockingQueue<Request> taken = new LinkedBlockingQueue<>();

    @Test
    void countsWhatIsBeingHandled() {
        List<Long> inside = new ArrayList<>();
        services.add(
                first,
                request -> {
                    inside.add(bundles.inHand(first.id()));
                    request.respondNothing();
                },
                0,
                HEARTBEAT);

        serve(connection);

        assertThat(inside).containsExactly(1L);
        assertThat(bundles.inHand(first.id())).isZero();
    }

    @Test
    void countsWhatWaitsForItsAnswerAlthoughTheHandlerHasReturned() {
        services.add(first, taken::add, 0, HEARTBEAT);
        serve(connection);
        serve(new FakeConnection());
        assertThat(bundles.inHand(first.id())).isEqualTo(2);

        taken.remove().respondNothing();
        assertThat(bundles.inHand(first.id())).isEqualTo(1);
        taken.remove().closeConnection();

        assertThat(bundles.inHand(first.id())).isZero();
    }

    @Test
    void successorDoesNotTakeOverWhatIsInHand() {
        services.add(first, taken::add, 0, HEARTBEAT);
        serve(connection);
        services.add(second, taken::add, 0, HEARTBEAT);
        bundles.stand(Map.of(first.id(), Standing.RETIRED));
        serve(new FakeConnection());

        assertThat(bundles.inHand(first.id())).isEqualTo(1);
        assertThat(bundles.inHand(second.id())).isEqualTo(1);
        assertThat(bundles.inHand(99)).isZero();
    }

    @Test
    void answersFromOtherThreadsAreNeverCountedTwice() throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(3);
        List<Future<?>> answers = new ArrayList<>();
        services.add(first, request -> answers.add(others.submit(request::respondNothing)), 0, HEARTBEAT);
        for (int i = 0; i < 20_000; i++) {
            serve(connection);
        }
        for (Future<?> answer : answers) {
            answer.get();
        }
        others.shutdown();

        assertThat(bundles.inHand(first.id())).isZero();
    }

    @Test
    void onlyTheRequestsOfTheBundleAreHurried() {
        RequestHandler waiting = request -> request.whenHurried(request::respondNothing);
        FakeConnection later = new FakeConnection();
        services.add(first, waiting, 0, HEARTBEAT);
        serve(connection);
        services.add(second, waiting, 10, HEARTBEAT);
        serve(later);
        bundles.connections(connections(connection, later, new FakeConnection()));

        bundles.hurry(first.id());
        runOne();

        assertThat(connection.posted).hasSize(1);
        assertThat(later.posted).isEmpty();
        assertThat(bundles.inHand(first.id())).isZero();
        assertThat(bundles.inHand(second.id())).isEqualTo(1);
    }

    /** Each thread that serves by an old table is seen by whoever has made the new one. */
    @Test
    void nothingIsInHandOnceARetiredBundleHasNothing() throws Exception {
        ExecutorService handlers = Executors.newFixedThreadPool(2);
        services.add(first, taken::add, 0, HEARTBEAT);
        services.add(second, Request::respondNothing, 0, HEARTBEAT);
        for (int round = 0; round < 2_000; round++) {
            bundles.stand(Map.of());
            intake.take(connection, frame(), 1, () -> {});
            Future<?> handled = handlers.submit(this::runOne);
            bundles.stand(Map.of(first.id(), Standing.RETIRED));
            boolean isIdle = bundles.inHand(first.id()) == 0;
            handled.get();
            Request late = taken.poll();
            if (late != null) {
                assertThat(isIdle).as("round=" + round).isFalse();
                late.respondNothing();
            }
        }
        handlers.shutdown();
    }

    @Test
    void bundleThatIsUninstalledIsForgotten() {
        FakeReference<RequestHandler> reference = services.add(first, Request::respondNothing, 0, HEARTBEAT);
        services.registry.remove(reference);
        assertThat(bundles.accounts())
                .extracting(ServingBundles.Account::bundleId)
                .containsExactly(first.id());

        first.uninstall();

        assertThat(bundles.accounts()).isEmpty();
    }

    private static ConnectionControl connections(FakeConnection... all) {
        return new ConnectionControl() {
            @Override
            public boolean kill(String connectionId) {
                return false;
            }

            @Override
            public void forEachInHand(Consumer<Hurried> look) {
                for (FakeConnection one : all) {
                    if (one.inHand != null) {
                        look.accept(one.inHand);
                    }
                }
            }
        };
    }

    private void serve(FakeConnection from) {
        intake.take(from, frame(), 1, () -> {});
        runOne();
    }

    private void runOne() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }

    private static ByteBuffer frame() {
        return Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
    }
}
