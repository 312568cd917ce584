package io.gregor.itest.quotas;

import io.gregor.itest.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * A client over its quota that asks again as soon as it is answered. A thread of its own measures how fast the broker lets it
 * go, when the burst that Kafka lets pass at first is paid for.
 */
final class PacedClient implements Callable<Double> {
    private static final String CLIENT_ID = "itest";

    private final int port;
    private final AbstractRequest request;
    private final Duration before;
    private final Duration measured;
    private long bytes;

    /**
     * Measures a Produce or Fetch request.
     *
     * @param before how long nothing is measured, the windows twice
     * @param measured how long it goes on then
     */
    PacedClient(int port, AbstractRequest request, Duration before, Duration measured) {
        this.port = port;
        this.request = request;
        this.before = before;
        this.measured = measured;
    }

    /** Bytes a second, as quotas count them: whole requests and responses, empty ones of who is held back not. */
    @Override
    public Double call() throws IOException {
        try (RawClient client = RawClient.connect(port)) {
            askUntil(client, System.nanoTime() + before.toNanos());
            long sinceNs = System.nanoTime();
            bytes = 0;
            askUntil(client, sinceNs + measured.toNanos());
            return bytes * 1e9 / (System.nanoTime() - sinceNs);
        }
    }

    private void askUntil(RawClient client, long endNs) throws IOException {
        while (System.nanoTime() < endNs) {
            ask(client);
        }
    }

    private void ask(RawClient client) throws IOException {
        byte[] frame = RawClient.bytes(request, 1);
        client.sendFrame(frame);
        var answer = client.readFrame();
        int size = answer.remaining();
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), CLIENT_ID, 1);
        int throttleTimeMs = AbstractResponse.parseResponse(answer, header).throttleTimeMs();
        if (request.apiKey() == ApiKeys.PRODUCE) {
            bytes += frame.length;
        } else if (throttleTimeMs == 0) {
            bytes += size;
        }
    }

    /** What a consumer without a session asks a topic of one partition, from its beginning. */
    static FetchRequestData fetch(String topic, int maxBytes) {
        FetchRequestData data = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(500)
                .setMinBytes(1)
                .setMaxBytes(maxBytes)
                .setSessionEpoch(-1);
        FetchRequestData.FetchTopic asked = new FetchRequestData.FetchTopic().setTopic(topic);
        asked.partitions()
                .add(new FetchRequestData.FetchPartition().setPartition(0).setPartitionMaxBytes(maxBytes));
        data.topics().add(asked);
        return data;
    }
}
