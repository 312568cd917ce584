package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.data.DataClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions of clients from before KIP-890, request by request: they add partitions and offsets themselves. */
class OldProducersIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String GROUP = "old-group";

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static DataClients clients;
    private static RawRequests requests;

    private String topic = "";
    private InitProducerIdResponseData producer = new InitProducerIdResponseData();

    @BeforeAll
    static void start() {
        node = GregorProcess.start(home, "transaction.state.log.num.partitions=3", "offsets.topic.num.partitions=3");
        clients = new DataClients(node);
        requests = new RawRequests(node);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** A producer of its own for each test, whose transactional id is the topic's name. */
    @BeforeEach
    void begin() throws Exception {
        topic = "old-" + System.nanoTime();
        clients.create(topic, 1, Map.of());
        findCoordinator(CoordinatorType.TRANSACTION, topic);
        findCoordinator(CoordinatorType.GROUP, GROUP);
        InitProducerIdRequestData asked =
                new InitProducerIdRequestData().setTransactionalId(topic).setTransactionTimeoutMs(60_000);
        await().atMost(LIMIT).until(() -> {
            producer = ((InitProducerIdResponse) requests.call(ApiKeys.INIT_PRODUCER_ID, 3, asked)).data();
            return producer.errorCode() == Errors.NONE.code();
        });
    }

    /** Clients ask for it first, which creates the internal topic. */
    private void findCoordinator(CoordinatorType type, String key) {
        FindCoordinatorRequestData asked =
                new FindCoordinatorRequestData().setKeyType(type.id()).setKey(key);
        await().atMost(LIMIT).until(() -> requests.error(ApiKeys.FIND_COORDINATOR, 3, asked) == Errors.NONE);
    }

    private Errors addPartition() {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(0)));
        return requests.settled(
                ApiKeys.ADD_PARTITIONS_TO_TXN,
                3,
                new AddPartitionsToTxnRequestData()
                        .setV3AndBelowTransactionalId(topic)
                        .setV3AndBelowProducerId(producer.producerId())
                        .setV3AndBelowProducerEpoch(producer.producerEpoch())
                        .setV3AndBelowTopics(topics));
    }

    private Errors produce(int version, int sequence, String value) throws IOException {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                producer.producerId(),
                producer.producerEpoch(),
                sequence,
                new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)));
        ProduceRequestData data = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(10_000)
                .setTransactionalId(topic);
        data.topicData()
                .add(new TopicProduceData()
                        .setName(topic)
                        .setPartitionData(List.of(new PartitionProduceData().setRecords(records))));
        return requests.error(ApiKeys.PRODUCE, version, data);
    }

    private Errors end(boolean isCommit) throws IOException {
        return requests.error(
                ApiKeys.END_TXN,
                3,
                new EndTxnRequestData()
                        .setTransactionalId(topic)
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setCommitted(isCommit));
    }

    private Errors commitOffset(int offset) throws IOException {
        return requests.error(
                ApiKeys.TXN_OFFSET_COMMIT,
                3,
                new TxnOffsetCommitRequestData()
                        .setTransactionalId(topic)
                        .setGroupId(GROUP)
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                                .setName(topic)
                                .setPartitions(
                                        List.of(new TxnOffsetCommitRequestPartition().setCommittedOffset(offset))))));
    }

    private Errors addOffsets() {
        return requests.settled(
                ApiKeys.ADD_OFFSETS_TO_TXN,
                3,
                new AddOffsetsToTxnRequestData()
                        .setTransactionalId(topic)
                        .setGroupId(GROUP)
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch()));
    }

    private List<String> committed() {
        return clients.readAll(topic, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")).stream()
                .map(ConsumerRecord::value)
                .toList();
    }

    @Test
    void whatWasAddedIsAppendedAndWhatWasNotIsRefused() throws Exception {
        assertThat(produce(10, 0, "early")).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(produce(11, 0, "early")).isEqualTo(Errors.TRANSACTION_ABORTABLE);

        assertThat(addPartition()).isEqualTo(Errors.NONE);
        assertThat(produce(11, 0, "a")).isEqualTo(Errors.NONE);
        assertThat(produce(11, 0, "a")).as("sent again").isEqualTo(Errors.NONE);
        assertThat(produce(11, 5, "gap")).isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(end(true)).isEqualTo(Errors.NONE);

        await().atMost(LIMIT).untilAsserted(() -> assertThat(committed()).containsExactly("a"));
        assertThat(addPartition()).isEqualTo(Errors.NONE);
        assertThat(produce(9, 1, "b")).isEqualTo(Errors.NONE);
        assertThat(end(false)).isEqualTo(Errors.NONE);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(clients.readAll(topic, Map.of()))
                .extracting(ConsumerRecord::value)
                .containsExactly("a", "b"));
        assertThat(committed()).containsExactly("a");
    }

    @Test
    void offsetsCountWhenTheTransactionIsCommitted() throws Exception {
        assertThat(commitOffset(5)).isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(addOffsets()).isEqualTo(Errors.NONE);
        assertThat(commitOffset(7)).isEqualTo(Errors.NONE);
        assertThat(offset()).isNull();

        assertThat(end(true)).isEqualTo(Errors.NONE);

        await().atMost(LIMIT).untilAsserted(() -> assertThat(offset()).isEqualTo(new OffsetAndMetadata(7)));
    }

    private OffsetAndMetadata offset() throws Exception {
        try (Admin admin = clients.admin()) {
            return admin.listConsumerGroupOffsets(GROUP)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, 0));
        }
    }
}
