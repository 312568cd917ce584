package io.gregor.handlers.data;

import static io.gregor.handlers.data.DataFixture.TOPIC_ID;
import static io.gregor.handlers.data.DataFixture.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.FetchManager;
import org.apache.kafka.server.FetchSession.FetchSessionCache;
import org.apache.kafka.server.FetchSessionCacheShard;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FetchHandlerTest {
    private static final int LAST_WITH_NAMES = 12;

    private final DataFixture fixture = new DataFixture();
    private final BrokerTopicStats stats = new BrokerTopicStats(false);
    private final FetchManager sessions = new FetchManager(
            Time.SYSTEM, new FetchSessionCache(List.of(new FetchSessionCacheShard(10, 1000, Integer.MAX_VALUE, 0))));
    private final List<FetchParams> params = new ArrayList<>();
    private @Nullable Runnable endOfWait;
    private Errors outcome = Errors.NONE;
    private Records records = records("a");

    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "fetch" -> fetch((FetchParams) arguments[0], (List<?>) arguments[1], arguments[2]);
        case "fetchSessions" -> sessions;
        case "leader" -> new KnownLeader(7, 3);
        case "topicStats" -> stats;
        default -> throw Fake.unexpected(method.getName());
    });

    @SuppressWarnings("unchecked")
    private @Nullable Object fetch(FetchParams how, List<?> asked, Object done) {
        params.add(how);
        if (endOfWait != null) {
            return endOfWait;
        }
        List<FetchPartitionData> read = new ArrayList<>();
        for (Object one : asked) {
            assertThat(one).isInstanceOf(PartitionFetch.class);
            read.add(new FetchPartitionData(
                    outcome,
                    1,
                    0,
                    records,
                    Optional.empty(),
                    OptionalLong.of(1),
                    Optional.empty(),
                    OptionalInt.empty(),
                    false));
        }
        ((Consumer<List<FetchPartitionData>>) done).accept(read);
        return null;
    }

    @AfterEach
    void close() {
        stats.close();
    }

    private FetchResponseData handle(FetchRequest request) {
        new FetchHandler(replicas, fixture.metadata(), fixture.authorization(), FakeNodeConfig.of())
                .handle(fixture.request(request));
        return fixture.asked().answer(FetchResponse.class).data();
    }

    private static FetchRequest request(int version, FetchMetadata session, TopicPartition... partitions) {
        Map<TopicPartition, FetchRequest.PartitionData> asked = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            Uuid id = partition.topic().equals("t") ? TOPIC_ID : Uuid.randomUuid();
            asked.put(partition, new FetchRequest.PartitionData(id, 0, -1, 1000, Optional.empty()));
        }
        return FetchRequest.Builder.forConsumer((short) version, 500, 1, asked)
                .metadata(session)
                .build((short) version);
    }

    private static TopicPartition partition(String topic) {
        return new TopicPartition(topic, 0);
    }

    private static Errors error(FetchResponseData answer, int topic) {
        return Errors.forCode(answer.responses().get(topic).partitions().get(0).errorCode());
    }

    @Test
    void readsByNameAndById() {
        for (int version : new int[] {4, LAST_WITH_NAMES, 13, 18}) {
            FetchResponseData answer = handle(request(version, FetchMetadata.LEGACY, partition("t")));

            assertThat(error(answer, 0)).isEqualTo(Errors.NONE);
            assertThat(answer.responses().get(0).partitions().get(0).records().sizeInBytes())
                    .isPositive();
        }
    }

    @Test
    void refusesWhatIsNotThere() {
        assertThat(error(handle(request(12, FetchMetadata.LEGACY, partition("none"))), 0))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(handle(request(13, FetchMetadata.LEGACY, partition("none"))), 0))
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void refusesTopicsThatTheClientMayNotRead() {
        fixture.authorization().deny("t");

        assertThat(error(handle(request(12, FetchMetadata.LEGACY, partition("t"))), 0))
                .isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED);
        assertThat(params).isEmpty();
    }

    @Test
    void tellsAFollowerWithoutTheRightNothingOfTopics() {
        fixture.authorization().deny("CLUSTER_ACTION kafka-cluster");
        Map<TopicPartition, FetchRequest.PartitionData> asked = new LinkedHashMap<>();
        asked.put(new TopicPartition("t", 0), new FetchRequest.PartitionData(TOPIC_ID, 0, -1, 1000, Optional.empty()));
        asked.put(
                new TopicPartition("gone", 0),
                new FetchRequest.PartitionData(Uuid.randomUuid(), 0, -1, 1000, Optional.empty()));

        FetchResponseData answer = handle(FetchRequest.Builder.forReplica((short) 17, 5, -1, 500, 1, asked)
                .build((short) 17));

        assertThat(answer.responses())
                .flatExtracting(FetchResponseData.FetchableTopicResponse::partitions)
                .extracting(partition -> Errors.forCode(partition.errorCode()))
                .containsExactly(Errors.TOPIC_AUTHORIZATION_FAILED, Errors.TOPIC_AUTHORIZATION_FAILED);
        assertThat(params).isEmpty();
    }

    @Test
    void sessionSendsOnlyWhatIsNew() {
        FetchResponseData first = handle(request(13, FetchMetadata.INITIAL, partition("t")));
        assertThat(first.sessionId()).isPositive();
        records = MemoryRecords.EMPTY;

        FetchResponseData second = handle(request(13, FetchMetadata.newIncremental(first.sessionId())));
        records = records("b");
        FetchResponseData third = handle(
                request(13, FetchMetadata.newIncremental(first.sessionId()).nextIncremental()));

        assertThat(second.responses()).isEmpty();
        assertThat(third.responses()).hasSize(1);
    }

    @Test
    void tellsThatASessionIsGone() {
        FetchResponseData answer = handle(request(13, FetchMetadata.newIncremental(77)));

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND);
    }

    @Test
    void tellsTheLeaderFromVersion16On() {
        outcome = Errors.NOT_LEADER_OR_FOLLOWER;
        records = MemoryRecords.EMPTY;

        FetchResponseData answer = handle(request(16, FetchMetadata.LEGACY, partition("t")));

        assertThat(answer.responses().get(0).partitions().get(0).currentLeader().leaderId())
                .isEqualTo(7);
        assertThat(answer.nodeEndpoints().find(7).host()).isEqualTo("host");
    }

    @Test
    void olderClientsDoNotLearnOfStorageErrors() {
        outcome = Errors.KAFKA_STORAGE_ERROR;
        records = MemoryRecords.EMPTY;

        assertThat(error(handle(request(5, FetchMetadata.LEGACY, partition("t"))), 0))
                .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
        assertThat(error(handle(request(6, FetchMetadata.LEGACY, partition("t"))), 0))
                .isEqualTo(Errors.KAFKA_STORAGE_ERROR);
    }

    @Test
    void brokerLimitsTheSizeOfAnAnswer() {
        handle(request(12, FetchMetadata.LEGACY, partition("t")));

        assertThat(params.get(0).maxBytes).isEqualTo(57_671_680);
        assertThat(params.get(0).fetchOnlyLeader()).isFalse();
    }

    @Test
    void waitingFetchIsEndedWhenItsAnswerIsWanted() {
        endOfWait = () -> fixture.asked().answers().add("ended");

        new FetchHandler(replicas, fixture.metadata(), fixture.authorization(), FakeNodeConfig.of())
                .handle(fixture.request(request(12, FetchMetadata.LEGACY, partition("t"))));

        fixture.asked().hurry();
        assertThat(fixture.asked().answers()).containsExactly("ended");
    }
}
