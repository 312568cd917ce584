package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.RawClient;
import io.gregor.itest.load.Frames;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that promise, vanish or are thrown out cost others nothing, and leave nothing behind. */
class HostileConnectionsIT {
    private static final int BUSY = 64;
    private static final int RESETS = 1_000;
    private static final int ROUNDS = Integer.getInteger("gregor.it.resets", 1_000);
    private static final int PROMISED_BYTES = 100 * 1024 * 1024;
    private static final long HEAP_SLACK_BYTES = 8L * 1024 * 1024;

    /** What comes and goes by itself: a segment that is rolled, a connection of the node's own. */
    private static final long FILES_SLACK = 10;

    @TempDir
    private static Path home;

    private static ChangingNode node;

    @BeforeAll
    static void start() throws Exception {
        // With Kafka's 50 the kernel drops connections that come at once, and the client tries again after a second.
        node = ChangingNode.start(home, "socket.listen.backlog.size=" + RESETS);
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
    }

    @Test
    void promisesOfThreeGigabytesDoNotMoveTheHeap() throws Exception {
        byte[] promise = ByteBuffer.allocate(5).putInt(PROMISED_BYTES).array();
        List<RawClient> clients = new ArrayList<>();
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            load.awaitBursts(2);
            long before = node.jmx().heapAfterCollection();
            load.during("30 promises of 100 MB", () -> {
                for (int i = 0; i < 30; i++) {
                    RawClient client = RawClient.connect(node.port());
                    clients.add(client);
                    client.sendBytes(promise);
                }
            });
            assertThat(node.jmx().heapAfterCollection()).isLessThan(before + HEAP_SLACK_BYTES);
            load.finish();
        } finally {
            closeAll(clients);
        }
    }

    @Test
    void thousandConnectionsThatAreResetAtOnceLeaveNoFileOpen() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            load.awaitBursts(1);
            long before = node.process().openFiles();
            load.during("1,000 resets at once", () -> {
                List<RawClient> clients = new ArrayList<>();
                for (int i = 0; i < RESETS; i++) {
                    RawClient client = RawClient.connect(node.port());
                    client.sendBytes(new byte[] {0, 0, 0, 100, 0});
                    clients.add(client);
                }
                await().atMost(Load.LIMIT).until(() -> node.process().openFiles() >= before + RESETS - FILES_SLACK);
                for (RawClient client : clients) {
                    client.reset();
                }
            });
            awaitFiles(before);
            load.finish();
        }
    }

    @Test
    void connectionsThatAreResetOneAfterTheOtherLeaveNoFileOpen() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            load.awaitBursts(1);
            long before = node.process().openFiles();
            load.during(ROUNDS + " times connect and reset", () -> {
                for (int i = 0; i < ROUNDS; i++) {
                    RawClient client = RawClient.connect(node.port());
                    if (i % 2 == 0) {
                        client.sendBytes(Frames.packet(Frames.metadata()));
                    }
                    client.reset();
                }
            });
            awaitFiles(before);
            load.finish();
        }
    }

    @Test
    void killedConnectionIsClosedAndNoOther() throws Exception {
        try (Load load = Load.start(node.port(), BUSY, 0);
                RawClient waiting = RawClient.connect(node.port());
                RawClient other = RawClient.connect(node.port())) {
            waiting.sendBytes(Frames.packet(Frames.waitingFetch(60_000)));
            String id = await().until(() -> connectionId(waiting), found -> !found.isEmpty());

            load.during("connection killed", () -> node.shell("connection:kill " + id));

            assertThat(waiting.isClosedByPeer()).isTrue();
            ChangingNode.ask(other, 1);
            assertThat(node.process().shell("connection:kill " + id)).satisfies(again -> {
                assertThat(again.status()).isEqualTo(1);
                assertThat(again.output()).contains(id);
            });
            load.finish();
        }
    }

    private static String connectionId(RawClient client) {
        String local = "-127.0.0.1:" + client.localPort() + "-";
        return node.shell("connection:list " + client.localPort() + " state~muted")
                .lines()
                .flatMap(line -> List.of(line.split(" +")).stream())
                .filter(cell -> cell.contains(local))
                .findFirst()
                .orElse("");
    }

    private static void awaitFiles(long before) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(node.process().openFiles()).isLessThanOrEqualTo(before + FILES_SLACK));
    }

    private static void closeAll(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }
}
