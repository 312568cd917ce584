package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.api.RequestHandler;
import io.gregor.internal.dispatch.ServedApis;
import io.gregor.testing.FakeReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;

class HandlerRegistryTest {
    private static final RequestHandler NOTHING = request -> {};

    private final HandlerServices services = new HandlerServices();

    @Test
    void highestRankingServesAndTheOlderOneOfEqualRanking() {
        services.add(NOTHING, 0, 3);
        assertThat(server(3)).isEqualTo("handler-1");
        services.add(NOTHING, 0, 3);
        assertThat(server(3)).isEqualTo("handler-1");
        FakeReference<RequestHandler> better = services.add(NOTHING, 10, 3);
        assertThat(server(3)).isEqualTo("handler-3");
        assertThat(services.registry.table().find((short) 3).others()).isEqualTo(2);
        services.registry.remove(better);
        assertThat(server(3)).isEqualTo("handler-1");
    }

    @Test
    void snapshotStaysTheSameUntilAHandlerComesOrGoes() {
        FakeReference<RequestHandler> one = services.add(NOTHING, 0, 3);
        ServedApis.Snapshot first = services.registry.table().snapshot();
        assertThat(services.registry.table().snapshot()).isSameAs(first);
        services.add(NOTHING, 0, 18);
        ServedApis.Snapshot second = services.registry.table().snapshot();
        assertThat(second).isNotSameAs(first);
        assertThat(second.apis()).extracting(ApiVersion::apiKey).containsExactly((short) 3, (short) 18);
        services.registry.remove(one);
        assertThat(services.registry.table().snapshot().apis())
                .extracting(ApiVersion::apiKey)
                .containsExactly((short) 18);
    }

    @Test
    void versionsAreThoseOfTheProtocolAndProduceIsAdvertisedFromZero() {
        services.add(NOTHING, 0, 0, 3);
        assertThat(services.registry.table().snapshot().apis())
                .containsExactly(
                        new ApiVersion()
                                .setApiKey((short) 0)
                                .setMinVersion((short) 0)
                                .setMaxVersion((short) 13),
                        new ApiVersion()
                                .setApiKey((short) 3)
                                .setMinVersion((short) 0)
                                .setMaxVersion((short) 13));
        assertThat(services.registry.table().find((short) 0).takes((short) 2)).isFalse();
        assertThat(services.registry.table().find((short) 0).takes((short) 3)).isTrue();
    }

    @Test
    void keysOfOtherListenersAndUnknownOnesAreNotServed() {
        services.add(NOTHING, 0, 52, 999, 7, -5, 3);
        assertThat(services.registry.table().all()).extracting(ServedApi::key).containsExactly((short) 3);
    }

    @Test
    void newKeysHaveTheirVersionsFromTheService() {
        services.add(
                NOTHING,
                new FakeReference<>(
                        9,
                        0,
                        Map.of("api.key", new Integer[] {12_345, 10_000}, "api.min.version", 1, "api.max.version", 4)));
        ServedApi api = services.registry.table().find((short) 12_345);
        assertThat(api.minVersion()).isEqualTo((short) 1);
        assertThat(api.maxVersion()).isEqualTo((short) 4);
        assertThat(services.registry.table().find((short) 10_000)).isNotNull();
        assertThat(services.registry.table().find((short) 10_001)).isNull();
    }

    @Test
    void changedPropertiesAreSeen() {
        FakeReference<RequestHandler> reference = services.add(NOTHING, 0, 3);
        services.registry.change(reference);
        assertThat(server(3)).isEqualTo("handler-1");
        assertThat(services.registry.table().all()).hasSize(1);
    }

    @Test
    void handlerThatLeavesIsWaitedForWhileARequestIsInIt() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        FakeReference<RequestHandler> reference = services.add(
                request -> {
                    inside.countDown();
                    awaitQuietly(release);
                    request.respondNothing();
                },
                0,
                3);
        RequestChannel channel = new RequestChannel(1);
        RoleDispatcher dispatcher =
                new RoleDispatcher(services.registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
        FakeConnection connection = new FakeConnection();
        new RequestIntake(services.registry, channel, dispatcher)
                .take(connection, Frames.raw(3, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0), 1, () -> {});
        Thread worker = start(
                () -> channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching()));
        inside.await();

        Thread remover = start(() -> services.registry.remove(reference));
        await().until(() -> services.registry.table().find((short) 3) == null);
        assertThat(services.closed).isEmpty();
        release.countDown();

        remover.join();
        worker.join();
        assertThat(services.closed).isEqualTo(List.of(reference));
        assertThat(connection.posted).hasSize(1);
    }

    @Test
    void handlerThatCannotBeMadeIsPassedOver() {
        FakeReference<RequestHandler> broken = HandlerServices.serving(77, 100, 3);
        services.registry.add(broken);
        services.add(request -> request.respondNothing(), 0, 3);
        RequestChannel channel = new RequestChannel(1);
        RoleDispatcher dispatcher =
                new RoleDispatcher(services.registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
        FakeConnection connection = new FakeConnection();
        new RequestIntake(services.registry, channel, dispatcher)
                .take(connection, Frames.raw(3, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0), 1, () -> {});
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
        assertThat(connection.posted).hasSize(1);
        assertThat(server(3)).isEqualTo("handler-1");
        services.registry.remove(broken);
    }

    private String server(int key) {
        return services.registry.table().find((short) key).handler().name();
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
}
