package io.gregor.itest.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.data.DataClients;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ListTransactionsResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactional ids, in every version that is spoken and at every level of {@code transaction.version}. */
class TransactionalIdsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String TOPIC = "ids";

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static DataClients clients;
    private static RawRequests requests;
    private static Admin admin;

    @BeforeAll
    static void start() throws Exception {
        node = GregorProcess.start(
                home,
                "transaction.state.log.num.partitions=3",
                "offsets.topic.num.partitions=3",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms=200",
                "transaction.two.phase.commit.enable=true",
                "unstable.api.versions.enable=true");
        clients = new DataClients(node);
        requests = new RawRequests(node);
        admin = clients.admin();
        clients.create(TOPIC, 1, Map.of());
        producer("first").close();
    }

    @AfterAll
    static void stop() {
        admin.close();
        node.close();
    }

    private static KafkaProducer<String, String> producer(String id) {
        KafkaProducer<String, String> producer = clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id));
        producer.initTransactions();
        return producer;
    }

    private static InitProducerIdRequestData asking(String id, int timeoutMs) {
        return new InitProducerIdRequestData().setTransactionalId(id).setTransactionTimeoutMs(timeoutMs);
    }

    private static InitProducerIdResponseData init(int version, InitProducerIdRequestData asked) {
        return ((InitProducerIdResponse) requests.settledCall(ApiKeys.INIT_PRODUCER_ID, version, asked)).data();
    }

    private static Errors add(int version, String id, InitProducerIdResponseData producer) {
        AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
        topics.add(new AddPartitionsToTxnTopic().setName(TOPIC).setPartitions(List.of(0)));
        return requests.settled(
                ApiKeys.ADD_PARTITIONS_TO_TXN,
                version,
                new AddPartitionsToTxnRequestData()
                        .setV3AndBelowTransactionalId(id)
                        .setV3AndBelowProducerId(producer.producerId())
                        .setV3AndBelowProducerEpoch(producer.producerEpoch())
                        .setV3AndBelowTopics(topics));
    }

    private static Errors commit(int version, String id, InitProducerIdResponseData producer) {
        return requests.settled(
                ApiKeys.END_TXN,
                version,
                new EndTxnRequestData()
                        .setTransactionalId(id)
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.producerEpoch())
                        .setCommitted(true));
    }

    private static TransactionState state(String id) throws Exception {
        return admin.describeTransactions(List.of(id)).description(id).get().state();
    }

    @Test
    void eachVersionFencesWhoCameBefore() throws Exception {
        for (short version : ApiKeys.INIT_PRODUCER_ID.allVersions()) {
            String id = "fenced-" + version;
            InitProducerIdResponseData zombie = init(version, asking(id, 60_000));
            assertThat(add(3, id, zombie)).isEqualTo(Errors.NONE);

            InitProducerIdResponseData heir = init(version, asking(id, 60_000));

            assertThat(heir.producerId()).isEqualTo(zombie.producerId());
            assertThat(heir.producerEpoch()).isGreaterThan(zombie.producerEpoch());
            assertThat(state(id)).as("the heir begins anew").isEqualTo(TransactionState.EMPTY);
            assertThat(commit(1, id, zombie)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
            assertThat(commit(3, id, zombie)).isEqualTo(Errors.PRODUCER_FENCED);
            assertThat(init(version, asking("", 60_000)).errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
            assertThat(init(version, asking(id, 900_001)).errorCode())
                    .isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT.code());
        }
    }

    @Test
    void whoKnowsItsEpochGoesOnAndWhoIsTooOldDoesNot() {
        String id = "known";
        InitProducerIdResponseData first = init(5, asking(id, 60_000));
        InitProducerIdRequestData known =
                asking(id, 60_000).setProducerId(first.producerId()).setProducerEpoch(first.producerEpoch());

        assertThat(init(5, known).producerEpoch()).isEqualTo((short) 1);
        assertThat(init(5, known).producerEpoch()).as("the same asked again").isEqualTo((short) 1);
        assertThat(init(5, asking(id, 60_000)).producerEpoch()).isEqualTo((short) 2);

        assertThat(init(5, known).errorCode()).isEqualTo(Errors.PRODUCER_FENCED.code());
        assertThat(init(3, known).errorCode()).isEqualTo(Errors.INVALID_PRODUCER_EPOCH.code());
    }

    @Test
    void aTwoPhaseCommitHasNoTimeOutAndKeepsNothingPrepared() throws Exception {
        String id = "two-phases";
        InitProducerIdResponseData producer = init(6, asking(id, 1).setEnable2Pc(true));

        assertThat(producer.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(admin.describeTransactions(List.of(id)).description(id).get().transactionTimeoutMs())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(init(6, asking(id, 1_000).setKeepPreparedTxn(true)).errorCode())
                .isEqualTo(Errors.UNSUPPORTED_VERSION.code());
    }

    @Test
    void aProducerWhoseTimeIsOverIsFenced() throws Exception {
        String id = "slow";
        InitProducerIdResponseData producer = init(3, asking(id, 300));
        assertThat(add(3, id, producer)).isEqualTo(Errors.NONE);

        await().atMost(LIMIT).until(() -> state(id) == TransactionState.COMPLETE_ABORT);

        assertThat(commit(1, id, producer)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(commit(3, id, producer)).isEqualTo(Errors.PRODUCER_FENCED);
        assertThat(add(3, id, producer)).isEqualTo(Errors.PRODUCER_FENCED);
    }

    @Test
    void transactionsAreListedByStateProducerAgeAndName() throws Exception {
        InitProducerIdResponseData idle = init(3, asking("list-idle", 60_000));
        InitProducerIdResponseData busy = init(3, asking("list-busy", 60_000));
        assertThat(add(3, "list-busy", busy)).isEqualTo(Errors.NONE);
        ListTransactionsOptions all = listing();

        assertThat(listed(all)).containsExactlyInAnyOrder("list-idle", "list-busy");
        assertThat(listed(listing().filterStates(Set.of(TransactionState.ONGOING))))
                .containsExactly("list-busy");
        assertThat(listed(listing().filterProducerIds(Set.of(idle.producerId()))))
                .containsExactly("list-idle");
        assertThat(listed(listing().filterOnDuration(3_600_000)))
                .as("no age is any age")
                .containsExactly("list-idle");
        assertThat(listed(listing().filterOnTransactionalIdPattern("list")))
                .as("the whole id")
                .isEmpty();
        assertThatThrownBy(() -> listed(listing().filterOnTransactionalIdPattern("a(")))
                .hasCauseInstanceOf(InvalidRegularExpression.class);
        assertThat(unknownStates("Ongoing", "Nowhere")).containsExactly("Nowhere");
    }

    private static ListTransactionsOptions listing() {
        return new ListTransactionsOptions().filterOnTransactionalIdPattern("list-.*");
    }

    private static List<String> listed(ListTransactionsOptions options) throws Exception {
        return admin.listTransactions(options).all().get().stream()
                .map(TransactionListing::transactionalId)
                .toList();
    }

    private static List<String> unknownStates(String... states) throws IOException {
        ListTransactionsRequestData asked = new ListTransactionsRequestData().setStateFilters(List.of(states));
        return ((ListTransactionsResponse) requests.call(ApiKeys.LIST_TRANSACTIONS, 0, asked))
                .data()
                .unknownStateFilters();
    }

    @Test
    void everyLevelOfTheProtocolServesOldAndNewClients() throws Exception {
        for (short level : new short[] {1, 0, 2}) {
            level(level);
            String topic = "level-" + level;
            clients.create(topic, 1, Map.of());
            try (KafkaProducer<String, String> producer = producer(topic)) {
                for (String value : List.of("a", "b")) {
                    producer.beginTransaction();
                    producer.send(new ProducerRecord<>(topic, value)).get();
                    producer.commitTransaction();
                }
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(topic, "aborted")).get();
                producer.abortTransaction();
            }
            InitProducerIdResponseData old = init(1, asking("old-" + level, 60_000));
            assertThat(add(1, "old-" + level, old)).isEqualTo(Errors.NONE);
            assertThat(commit(1, "old-" + level, old)).isEqualTo(Errors.NONE);

            assertThat(clients.readAll(topic, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed")))
                    .as(topic)
                    .extracting(ConsumerRecord::value)
                    .containsExactly("a", "b");
        }
    }

    private static void level(short level) throws Exception {
        admin.updateFeatures(
                        Map.of(
                                "transaction.version",
                                new FeatureUpdate(
                                        level,
                                        level == 2
                                                ? FeatureUpdate.UpgradeType.UPGRADE
                                                : FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)),
                        new UpdateFeaturesOptions())
                .all()
                .get();
        await().atMost(LIMIT).until(() -> level() == level);
    }

    private static int level() throws Exception {
        FinalizedVersionRange agreed = admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .get("transaction.version");
        return agreed == null ? 0 : agreed.maxVersionLevel();
    }

    @Test
    void itsMBeansHaveTheNamesOfKafka() throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(node)) {
            assertThat(jmx.names("kafka.server:type=txn-marker-channel-metrics"))
                    .hasSize(1);
            assertThat(jmx.names("kafka.server:type=AddPartitionsManager-channel-metrics"))
                    .hasSize(1);
            assertThat(jmx.names("kafka.server:type=transaction-coordinator-metrics"))
                    .hasSize(1);
            assertThat(jmx.names("kafka.server:type=AddPartitionsToTxnManager,*"))
                    .hasSize(2);
            assertThat(jmx.names("kafka.coordinator.transaction:type=TransactionMarkerChannelManager,*"))
                    .hasSize(2);
        }
    }
}
