package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.load.Load;
import io.gregor.itest.load.RealClients;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pools of threads grow and shrink, and queues get other sizes; no connection and no request notices. */
class ThreadsChangeUnderLoadIT {
    private static final int BUSY = 64;
    private static final String HANDLERS = "data-plane-kafka-request-handler-";

    @TempDir
    private static Path home;

    private static ChangingNode node;

    @BeforeAll
    static void start() throws Exception {
        node = ChangingNode.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
    }

    @Test
    void networkThreadsOfOneListenerGrowAndShrinkWithIdleConnectionsOnThem() throws Exception {
        try (Load load = Load.start(node.port(), 50, 200)) {
            for (int threads : new int[] {6, 3, 2, 1}) {
                load.during("listener.name.plaintext.num.network.threads=" + threads, () -> {
                    node.set("listener.name.plaintext.num.network.threads=" + threads);
                    node.awaitProcessors("PLAINTEXT", threads);
                });
                assertThat(load.open()).isEqualTo(250);
            }
            node.awaitProcessors("CONTROLLER", 3);
            load.finish();
        }
        node.set("listener.name.plaintext.num.network.threads=2");
        node.delete("listener.name.plaintext.num.network.threads");
        node.awaitProcessors("PLAINTEXT", 3);
    }

    @Test
    void networkThreadsOfAllListenersGrowAndShrink() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 50);
                RealClients clients = RealClients.start(node.process())) {
            for (int threads : new int[] {5, 2, 3}) {
                load.during("num.network.threads=" + threads + " for all nodes", () -> {
                    node.setForAll("num.network.threads=" + threads);
                    node.awaitProcessors("PLAINTEXT", threads);
                    node.awaitProcessors("CONTROLLER", threads);
                });
            }
            load.finish();
            clients.finish();
        }
        node.deleteForAll("num.network.threads");
    }

    @Test
    void requestHandlersGrowAndShrink() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            for (int threads : new int[] {16, 8, 4, 2, 1}) {
                load.during("num.io.threads=" + threads, () -> {
                    node.set("num.io.threads=" + threads);
                    // Each role has its own.
                    await().atMost(ChangingNode.SOON)
                            .untilAsserted(() ->
                                    assertThat(node.jmx().threads(HANDLERS)).hasSize(2 * threads));
                });
            }
            load.finish();
        }
        for (int threads : new int[] {2, 4}) {
            node.set("num.io.threads=" + threads);
        }
        node.delete("num.io.threads");
        await().atMost(ChangingNode.SOON)
                .untilAsserted(() -> assertThat(node.jmx().threads(HANDLERS)).hasSize(16));
    }

    @Test
    void requestQueueAndItsMemoryGetOtherBounds() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            load.during("queued.max.requests=1", () -> node.set("queued.max.requests=1"));
            assertThat(node.shell("queue:show").lines()).anyMatch(line -> line.matches("broker +\\d+ +1 .*"));
            load.during(
                    "queued.max.request.bytes=1000000",
                    () -> node.set("queued.max.request.bytes=1000000", "socket.request.max.bytes=1000000"));
            assertThat(node.jmx().number("kafka.network:name=MemoryPoolAvailable,type=SocketServer", "Value"))
                    .isPositive();
            load.during(
                    "both deleted",
                    () -> node.delete("queued.max.requests", "queued.max.request.bytes", "socket.request.max.bytes"));
            assertThat(node.value("queued.max.requests")).isEqualTo("500");
            load.finish();
        }
    }

    @Test
    void changesThatComeAtOnceAreMadeOneAfterTheOther() throws Exception {
        List<String> keys = List.of(
                "queued.max.requests", "connections.max.idle.ms", "socket.request.max.bytes", "max.connections.per.ip");
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            load.during("4 changes at once", () -> {
                List<CompletableFuture<String>> changes = keys.stream()
                        .map(key -> Background.supply(() -> node.shell("config:set " + key + "=1000000")))
                        .toList();
                assertThat(changes).allSatisfy(change -> assertThat(change).succeedsWithin(Load.LIMIT));
            });
            load.finish();
        }
        for (String key : keys) {
            assertThat(node.value(key)).isEqualTo("1000000");
        }
        node.delete(keys.toArray(String[]::new));
    }
}
