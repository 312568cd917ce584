package io.gregor.itest.load;

import io.gregor.itest.RawClient;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;

/** The requests of a load, made once and sent many times. Immutable. */
public final class Frames {
    /** Where records are written to and read from. */
    static final String TOPIC = "load";

    /** Nobody writes to it: a Fetch of it waits as long as it may. */
    static final String QUIET = "quiet";

    /** What Kafka's own clients write and read. */
    static final String NUMBERS = "numbers";

    static final int PARTITIONS = 6;

    private Frames() {}

    /** One record to a partition; the same bytes may be written again and again. */
    public static Frame produce(int partition, short acks) {
        SimpleRecord record = new SimpleRecord(System.currentTimeMillis(), "value".getBytes(StandardCharsets.UTF_8));
        MemoryRecords records = MemoryRecords.withRecords(Compression.NONE, record);
        ProduceRequestData data = new ProduceRequestData().setAcks(acks).setTimeoutMs(10_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setName(TOPIC)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(partition)
                                .setRecords(records))));
        return Frame.of(new ProduceRequest(data, (short) 11), 0);
    }

    /** Reads a record that is there. */
    public static Frame fetch(int partition) {
        return Frame.of(fetchOf(TOPIC, partition, 0), 0);
    }

    /** Waits for records that do not come. */
    public static Frame waitingFetch(int maxWaitMs) {
        return Frame.of(fetchOf(QUIET, 0, maxWaitMs), maxWaitMs);
    }

    private static FetchRequest fetchOf(String topic, int partition, int maxWaitMs) {
        FetchRequestData data = new FetchRequestData()
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(1)
                .setMaxBytes(1_000)
                .setSessionId(0)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(topic)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(partition)
                                .setFetchOffset(0)
                                .setPartitionMaxBytes(1_000)))));
        return new FetchRequest(data, (short) 12);
    }

    /** Of one topic. */
    public static Frame metadata() {
        MetadataRequestData data = new MetadataRequestData()
                .setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName(TOPIC)))
                .setAllowAutoTopicCreation(false);
        return Frame.of(new MetadataRequest(data, (short) 12), 0);
    }

    /** What a client asks first. */
    public static Frame apiVersions() {
        return Frame.of(new ApiVersionsRequest.Builder().build((short) 3), 0);
    }

    /** What {@link ThrottledApi} serves: the connection is not read for a while afterwards. */
    static Frame describeCluster(int throttleMs) {
        return Frame.of(new DescribeClusterRequest(new DescribeClusterRequestData(), (short) 1), throttleMs);
    }

    /** Requests one behind the other as they are sent, with correlation ids from 0 on. */
    public static byte[] packet(Frame... frames) {
        ByteBuffer bytes = ByteBuffer.allocate(
                Arrays.stream(frames).mapToInt(frame -> frame.bytes().length).sum());
        for (int correlationId = 0; correlationId < frames.length; correlationId++) {
            frames[correlationId].put(bytes, correlationId);
        }
        return bytes.array();
    }

    /**
     * A request with its length in front; the correlation id is filled in when it is sent. Immutable.
     *
     * @param waitMs how long the node keeps it, or the next one, waiting if all is well
     */
    public record Frame(ApiKeys key, short version, byte[] bytes, int waitMs) {
        private static final int CORRELATION_ID_AT = 8;

        static Frame of(AbstractRequest request, int waitMs) {
            byte[] body = RawClient.bytes(request, 0);
            byte[] bytes = ByteBuffer.allocate(4 + body.length)
                    .putInt(body.length)
                    .put(body)
                    .array();
            return new Frame(request.apiKey(), request.version(), bytes, waitMs);
        }

        /** Writes it with this correlation id. */
        public void put(ByteBuffer target, int correlationId) {
            int start = target.position();
            target.put(bytes).putInt(start + CORRELATION_ID_AT, correlationId);
        }
    }
}
