package io.gregor.itest.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests of one connection are answered one after the other; connections do not wait for each other. */
class PipelinedResponsesKeepOrderIT {
    private static final String TOPIC = "pipelined";

    @TempDir
    private static Path home;

    private static GregorProcess node;

    @BeforeAll
    static void startNode() throws Exception {
        node = GregorProcess.start(home);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", node.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
    }

    @AfterAll
    static void stopNode() {
        node.close();
    }

    @Test
    void answersAHundredRequestsOfOnePacketInTheirOrder() throws IOException {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        for (int correlationId = 0; correlationId < 100; correlationId++) {
            packet.writeBytes(frame(correlationId % 3 == 0 ? metadata() : apiVersions(), correlationId));
        }
        try (RawClient client = RawClient.connect(node.port())) {
            client.sendBytes(packet.toByteArray());
            assertThat(correlationIds(client, 100))
                    .isEqualTo(IntStream.range(0, 100).boxed().toList());
        }
    }

    @Test
    void holdsTheSecondRequestBackUntilAWaitingFetchIsAnswered() throws IOException {
        try (RawClient waiting = RawClient.connect(node.port());
                RawClient other = RawClient.connect(node.port())) {
            long startNs = System.nanoTime();
            waiting.send(fetch(1_000), 1);
            waiting.send(apiVersions(), 2);
            other.send(apiVersions(), 3);

            assertThat(correlationIds(other, 1)).containsExactly(3);
            long otherNs = System.nanoTime() - startNs;
            assertThat(correlationIds(waiting, 2)).containsExactly(1, 2);
            long waitingNs = System.nanoTime() - startNs;

            assertThat(Duration.ofNanos(waitingNs)).isGreaterThanOrEqualTo(Duration.ofMillis(1_000));
            assertThat(otherNs).isLessThan(waitingNs / 2);
        }
    }

    @Test
    void answersEverythingThatCameBeforeTheClientsEndOfStream() throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            client.sendBytes(frame(apiVersions(), 7));
            client.sendBytes(frame(metadata(), 8));
            client.sendBytes(frame(apiVersions(), 9));
            client.shutdownOutput();

            assertThat(correlationIds(client, 3)).containsExactly(7, 8, 9);
            assertThat(client.isClosedByPeer()).isTrue();
        }
    }

    private static List<Integer> correlationIds(RawClient client, int count) throws IOException {
        Integer[] ids = new Integer[count];
        for (int index = 0; index < count; index++) {
            ids[index] = client.readFrame().getInt();
        }
        return List.of(ids);
    }

    private static byte[] frame(AbstractRequest request, int correlationId) {
        byte[] body = RawClient.bytes(request, correlationId);
        return ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array();
    }

    private static AbstractRequest apiVersions() {
        return new ApiVersionsRequest.Builder().build((short) 3);
    }

    private static AbstractRequest metadata() {
        return new MetadataRequest(
                new MetadataRequestData().setTopics(List.of()).setAllowAutoTopicCreation(false), (short) 9);
    }

    /** Of an empty partition, so that it waits the whole time. */
    private static AbstractRequest fetch(int maxWaitMs) {
        FetchRequestData.FetchPartition partition = new FetchRequestData.FetchPartition()
                .setPartition(0)
                .setFetchOffset(0)
                .setPartitionMaxBytes(1_000);
        FetchRequestData data = new FetchRequestData()
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(1)
                .setSessionId(0)
                .setSessionEpoch(-1)
                .setTopics(List.of(
                        new FetchRequestData.FetchTopic().setTopic(TOPIC).setPartitions(List.of(partition))));
        return new FetchRequest(data, (short) 12);
    }
}
