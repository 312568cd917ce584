package io.gregor.itest.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.requests.gate.GateBundle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handlers that do not come along: the request channel fills, processors block, their queues of new connections fill, the
 * acceptor blocks. Nothing is lost, the figures show it, and all drains when the handlers go on.
 */
class RequestQueueHeldFullIT {
    private static final int HANDLERS = 2;
    private static final int QUEUE = 10;
    private static final int PROCESSORS = 2;

    /** Connections that wait for a processor, each; and that it takes in at a time, before it blocks. */
    private static final int NEW_CONNECTIONS = 20;

    private static final int CLIENTS = HANDLERS + QUEUE + PROCESSORS + 2 * PROCESSORS * NEW_CONNECTIONS + 20;
    private static final int DEPTH = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration HELD = Duration.ofSeconds(3);
    private static final DescribeClusterRequest REQUEST =
            new DescribeClusterRequest(new DescribeClusterRequestData(), (short) 1);

    @TempDir
    private static Path home;

    @Test
    void losesNothingAndDrainsWhenTheHandlersGoOn() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (GregorProcess node = GregorProcess.start(
                        home,
                        "num.io.threads=" + HANDLERS,
                        "queued.max.requests=" + QUEUE,
                        "num.network.threads=" + PROCESSORS,
                        "socket.listen.backlog.size=" + CLIENTS);
                NodeJmx jmx = NodeJmx.attach(node)) {
            installGate(node);

            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = RawClient.connect(node.port());
                clients.add(client);
                for (int correlationId = 0; correlationId < DEPTH; correlationId++) {
                    client.send(REQUEST, correlationId);
                }
            }

            assertHeldFull(jmx);
            assertThat(node.shell("queue:show").output().lines())
                    .anyMatch(line -> line.matches(
                            "broker +" + QUEUE + " +" + QUEUE + " +" + HANDLERS + " +" + HANDLERS + "\\b.*"));
            CompletableFuture<Finished> fewerProcessors = changeMeanwhile(jmx);
            jmx.call(GateBundle.GATE, "open");

            assertAllAnswered(clients);
            assertThat(fewerProcessors).succeedsWithin(LIMIT).satisfies(change -> {
                assertThat(change.status()).as(change.output()).isZero();
                assertThat(change.output()).contains("moved=");
            });
            assertDrained(jmx);
            try (RawClient late = RawClient.connect(node.port())) {
                late.call(new ApiVersionsRequest.Builder().build((short) 3), 1);
            }
            assertThat(node.logText()).doesNotContain("] ERROR ");
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static void installGate(GregorProcess node) throws IOException {
        String installed =
                node.shell("felix:install " + GateBundle.jar(home).toUri()).output();
        String bundle = installed.replaceAll("\\D", "");
        node.shell("felix:start " + bundle);
        assertThat(node.shell("handler:list api=DescribeCluster").output()).contains(GateBundle.NAME);
    }

    private static void assertHeldFull(NodeJmx jmx) {
        await().atMost(LIMIT).pollDelay(HELD).untilAsserted(() -> {
            assertThat(jmx.number(GateBundle.GATE, "Waiting")).isEqualTo(HANDLERS);
            assertThat(jmx.number("kafka.network:name=RequestQueueSize,type=RequestChannel", "Value"))
                    .isEqualTo(QUEUE);
            assertThat(jmx.number(
                            "kafka.server:name=BrokerRequestHandlerAvgIdlePercent,type=KafkaRequestHandlerPool",
                            "OneMinuteRate"))
                    .isLessThan(0.9);
            assertThat(jmx.number("kafka.network:name=NetworkProcessorAvgIdlePercent,type=SocketServer", "Value"))
                    .isLessThan(0.9);
        });
    }

    /** The processors that are to end stand before the full queue: their connections move when that has room. */
    private static CompletableFuture<Finished> changeMeanwhile(NodeJmx jmx) {
        CompletableFuture<Finished> processors =
                Background.supply(() -> ShellSocket.call(home, "processors:set 1 PLAINTEXT"));
        await().atMost(LIMIT).until(() -> ShellSocket.call(home, "change:list")
                .output()
                .contains("listener.name.plaintext.num.network.threads"));
        assertThat(processors).isNotDone();
        assertThat(ShellSocket.call(home, "handlers:threads " + (HANDLERS + 1)).status())
                .isZero();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(jmx.number(GateBundle.GATE, "Waiting"))
                .isEqualTo(HANDLERS + 1));
        return processors;
    }

    private static void assertAllAnswered(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            for (int correlationId = 0; correlationId < DEPTH; correlationId++) {
                AbstractResponse answer = client.receive(REQUEST.apiKey(), REQUEST.version(), correlationId);
                assertThat(answer.errorCounts()).isNotEmpty();
            }
        }
    }

    private static void assertDrained(NodeJmx jmx) {
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(jmx.number("kafka.network:name=RequestQueueSize,type=RequestChannel", "Value"))
                    .isZero();
            // What waited in the channel waited as long as the gate was shut; what waited in a socket is not counted.
            assertThat(jmx.number(
                            "kafka.network:name=RequestQueueTimeMs,request=DescribeCluster,type=RequestMetrics", "Max"))
                    .isGreaterThan(HELD.toMillis());
            assertThat(jmx.number(
                            "kafka.network:name=RequestQueueTimeMs,request=DescribeCluster,type=RequestMetrics",
                            "Count"))
                    .isEqualTo(CLIENTS * DEPTH);
            // The time that the acceptor stood before the last processor's full queue.
            assertThat(jmx.number(
                            "kafka.network:listener=PLAINTEXT,name=AcceptorBlockedPercent,type=Acceptor", "Count"))
                    .isPositive();
        });
    }
}
