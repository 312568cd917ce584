package io.gregor.itest.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that do nothing are closed in their time, whatever they did before; others are not. */
class IdleConnectionIsClosedIT {
    private static final Duration IDLE = Duration.ofSeconds(2);

    @TempDir
    private static Path home;

    private static GregorProcess node;

    @BeforeAll
    static void startNode() {
        node = GregorProcess.start(home, "connections.max.idle.ms=" + IDLE.toMillis());
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @Test
    void closesThoseThatNeverSentAByteThatStoppedInAFrameAndThatAreDone() throws IOException {
        long startNs = System.nanoTime();
        try (RawClient silent = RawClient.connect(node.port());
                RawClient halfway = RawClient.connect(node.port());
                RawClient done = RawClient.connect(node.port())) {
            halfway.sendBytes((byte) 0, (byte) 0, (byte) 0, (byte) 100, (byte) 1);
            call(done, 1);

            assertThat(silent.isClosedByPeer()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThanOrEqualTo(IDLE);
            assertThat(halfway.isClosedByPeer()).isTrue();
            assertThat(done.isClosedByPeer()).isTrue();
        }
    }

    @Test
    void leavesAConnectionAloneThatAsksNowAndThen() throws IOException {
        try (RawClient busy = RawClient.connect(node.port())) {
            long endNs = System.nanoTime() + IDLE.multipliedBy(2).toNanos();
            int[] calls = {0};
            await().atMost(IDLE.multipliedBy(5)).pollInterval(IDLE.dividedBy(4)).until(() -> {
                call(busy, calls[0]++);
                return System.nanoTime() > endNs;
            });
            assertThat(calls[0]).isGreaterThan(4);
        }
    }

    private static void call(RawClient client, int correlationId) throws IOException {
        client.call(new ApiVersionsRequest.Builder().build((short) 3), correlationId);
    }
}
