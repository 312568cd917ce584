package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.load.Frames;
import io.gregor.itest.load.Frames.Frame;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a listener has been sent before it is removed is answered, and its connections end behind an answer. */
class RemovedListenerIsDrainedIT {
    private static final int CLIENTS = 64;
    private static final int LONG_MS = 60_000;
    private static final String GROUP = "waits";
    private static final String MAP =
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,EXTRA:PLAINTEXT";

    @TempDir
    private static Path home;

    private static ChangingNode node;

    private final List<RawClient> clients = new ArrayList<>();

    @BeforeAll
    static void startNode() throws Exception {
        node = ChangingNode.start(
                home, "group.initial.rebalance.delay.ms=" + LONG_MS, "offsets.topic.num.partitions=1");
    }

    @AfterAll
    static void stopNode() throws Exception {
        node.close();
    }

    @Test
    void answersEveryFrameThatCameBeforeAndClosesBehindTheLastAnswer() throws Exception {
        int port = GregorProcess.freePort();
        node.set(MAP, node.listeners("EXTRA://127.0.0.1:" + port));
        Frame[] sent = {
            Frames.waitingFetch(LONG_MS),
            Frames.metadata(),
            Frames.produce(0, (short) -1),
            Frames.waitingFetch(LONG_MS),
            Frames.apiVersions()
        };
        try (Load load = Load.start(node.port(), CLIENTS, 20)) {
            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = connect(port);
                client.sendBytes(Frames.packet(sent));
            }
            RawClient idle = connect(port);
            ChangingNode.ask(idle, 1);
            RawClient halfway = connect(port);
            ByteBuffer frame = ByteBuffer.wrap(Frames.packet(Frames.apiVersions()));
            halfway.sendBytes(take(frame, 10));
            RawClient joining = connect(port);
            JoinGroupRequest join = join(memberId(joining));
            joining.send(join, 2);

            load.during("listener with waiting requests removed", () -> node.set(node.listeners()));
            halfway.sendBytes(take(frame, frame.remaining()));

            for (int i = 0; i < CLIENTS; i++) {
                assertAnsweredAndClosed(clients.get(i), sent);
            }
            assertThat(idle.isClosedByPeer()).isTrue();
            assertAnsweredAndClosed(halfway, Frames.apiVersions());
            JoinGroupResponse joined = (JoinGroupResponse) joining.receive(ApiKeys.JOIN_GROUP, join.version(), 2);
            assertThat(joined.error()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
            assertThat(joining.isClosedByPeer()).isTrue();
            load.finish();
        } finally {
            closeAll();
        }
    }

    @Test
    void answersBusyClientsUpToTheEndOfTheirConnections() throws Exception {
        int port = GregorProcess.freePort();
        node.set(MAP, node.listeners("EXTRA://127.0.0.1:" + port));
        try (Load load = Load.start(node.port(), CLIENTS, 0);
                Load leaving = Load.start(port, CLIENTS, 0)) {
            leaving.awaitBursts(1);
            load.during("listener under load removed", () -> node.set(node.listeners()));
            await().atMost(Load.LIMIT).until(() -> leaving.open() == 0);

            assertThat(leaving.figures()).satisfies(figures -> {
                assertThat(figures.dropped()).isEqualTo(CLIENTS);
                // What was sent when the node had closed is lost as a whole; nothing is answered by half.
                assertThat(figures.unanswered() % Load.DEPTH)
                        .as(figures.toString())
                        .isZero();
            });
            load.finish();
        }
    }

    @Test
    void closesWhatNeverEndsAtTheDeadlineAndTellsTheCounts() throws Exception {
        int port = GregorProcess.freePort();
        node.set(MAP, node.listeners("EXTRA://127.0.0.1:" + port), "gregor.listener.drain.timeout.ms=1500");
        try (Load load = Load.start(node.port(), CLIENTS, 0)) {
            RawClient stuck = connect(port);
            stuck.sendBytes(take(ByteBuffer.wrap(Frames.packet(Frames.apiVersions())), 10));
            RawClient waiting = connect(port);
            waiting.sendBytes(Frames.packet(Frames.waitingFetch(LONG_MS)));
            long startNs = System.nanoTime();

            load.during("listener removed up to its deadline", () -> {
                String counts = node.shell("listener:remove EXTRA");
                assertThat(counts).contains("drained=1 closed=1 unanswered=0");
            });

            assertThat(stuck.isClosedByPeer()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(1500));
            assertAnsweredAndClosed(waiting, Frames.waitingFetch(LONG_MS));
            load.finish();
        } finally {
            closeAll();
            node.delete("gregor.listener.drain.timeout.ms");
        }
    }

    private RawClient connect(int port) throws IOException {
        RawClient client = RawClient.connect(port);
        clients.add(client);
        return client;
    }

    private void closeAll() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    private static void assertAnsweredAndClosed(RawClient client, Frame... sent) throws IOException {
        for (int correlationId = 0; correlationId < sent.length; correlationId++) {
            Frame frame = sent[correlationId];
            String errors = RawClient.errors(frame.key(), frame.version(), correlationId, client.readFrame());
            if (frame.key() == ApiKeys.METADATA) {
                assertThat(errors).contains("LISTENER_NOT_FOUND"); // it asks for leaders at a listener that is no more
            } else {
                assertThat(errors).isEmpty();
            }
        }
        assertThat(client.isClosedByPeer()).isTrue();
    }

    private static byte[] take(ByteBuffer from, int count) {
        byte[] taken = new byte[count];
        from.get(taken);
        return taken;
    }

    /** The coordinator gives an id before it lets a new member wait; its topic is made at the first look for it. */
    private static String memberId(RawClient client) throws Exception {
        node.admin()
                .listConsumerGroupOffsets(GROUP)
                .partitionsToOffsetAndMetadata()
                .get();
        JoinGroupResponse first = (JoinGroupResponse) client.call(join(""), 1);
        assertThat(first.error()).isEqualTo(Errors.MEMBER_ID_REQUIRED);
        return first.data().memberId();
    }

    private static JoinGroupRequest join(String memberId) {
        JoinGroupRequestData data = new JoinGroupRequestData()
                .setGroupId(GROUP)
                .setMemberId(memberId)
                .setProtocolType("consumer")
                .setSessionTimeoutMs(LONG_MS)
                .setRebalanceTimeoutMs(LONG_MS);
        data.protocols()
                .add(new JoinGroupRequestData.JoinGroupRequestProtocol()
                        .setName("range")
                        .setMetadata(new byte[0]));
        return new JoinGroupRequest(data, (short) 9);
    }
}
