package io.gregor.handlers.data;

import static io.gregor.handlers.data.DataFixture.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeClientQuotas;
import io.gregor.testing.FakeNodeConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.AcknowledgementBatch;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.message.ShareFetchResponseData.ShareFetchableTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareFetchHandlerTest {
    private static final byte ACCEPT = 1;
    private static final byte RENEW = 4;
    private static final Uuid SECRET = Uuid.randomUuid();

    private final DataFixture fixture = new DataFixture();
    private final FakeShares shares = new FakeShares();
    private final BrokerTopicStats stats = new BrokerTopicStats(false);
    private final Replicas replicas =
            Fake.of(Replicas.class, Map.of("leader", new KnownLeader(7, 3), "topicStats", stats));
    private final ShareFetchHandler handler = new ShareFetchHandler(
            shares,
            replicas,
            fixture.metadata(),
            fixture.authorization(),
            FakeNodeConfig.of(Map.of("fetch.max.bytes", "2000")));

    @BeforeEach
    void prepare() {
        fixture.level("share.version", (short) 1);
        fixture.know("secret", SECRET);
        fixture.authorization().deny("secret");
        shares.written.complete(null);
    }

    @AfterEach
    void close() {
        stats.close();
    }

    @Test
    void givesRecordsAndTellsHowLongTheyAreTheMembers() {
        ShareFetchResponseData answer = handle(data(0).setTopics(topics(topic(TOPIC_ID))));

        assertThat(answer.acquisitionLockTimeoutMs()).isEqualTo(FakeShares.LOCK_MS);
        PartitionData one = only(answer);
        assertThat(one.acquiredRecords()).hasSize(1);
        assertThat(one.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(stats.topicStats("t").bytesOutRate().count()).isPositive();
    }

    @Test
    void readsOnlyTopicsThatAreThereAndThatTheMemberMayRead() {
        FetchTopic topic = topic(TOPIC_ID);
        topic.partitions().add(new FetchPartition().setPartitionIndex(7));

        ShareFetchResponseData answer = handle(data(0).setTopics(topics(topic, topic(SECRET))));

        assertThat(shares.calls).containsExactly("session 0", "fetch t-0");
        assertThat(errors(answer))
                .isEqualTo(Map.of(
                        TOPIC_ID + "-0", Errors.NONE,
                        TOPIC_ID + "-7", Errors.UNKNOWN_TOPIC_OR_PARTITION,
                        SECRET + "-0", Errors.TOPIC_AUTHORIZATION_FAILED));
    }

    @Test
    void wantsNoMoreBytesThanTheBrokerAllows() {
        handle(data(0).setTopics(topics(topic(TOPIC_ID))).setMaxBytes(5000).setMinBytes(4000));

        assertThat(shares.wanted).singleElement().satisfies(wanted -> {
            assertThat(wanted.maxBytes()).isEqualTo(2000);
            assertThat(wanted.minBytes()).isEqualTo(2000);
        });
    }

    @Test
    void wantsNoMoreBytesThanTheQuotaOfItsClient() {
        FakeClientQuotas quotas = new FakeClientQuotas().demand(ClientQuotaType.FETCH, 0);
        quotas.most = 100;
        handler.quotas = quotas;

        handle(data(0).setTopics(topics(topic(TOPIC_ID))));

        assertThat(shares.wanted).singleElement().satisfies(wanted -> assertThat(wanted.maxBytes())
                .isEqualTo(100));
    }

    @Test
    void tellsOfAcknowledgementsWhenTheyAreWritten() {
        FakeShares slow = new FakeShares();
        TopicIdPartition partition = new TopicIdPartition(TOPIC_ID, 0, "t");
        slow.outcomes.put(partition, new ApiError(Errors.INVALID_RECORD_STATE, "not its own"));
        ShareFetchHandler slowly =
                new ShareFetchHandler(slow, replicas, fixture.metadata(), fixture.authorization(), FakeNodeConfig.of());

        slowly.handle(fixture.request(request(data(1).setTopics(topics(acknowledging(TOPIC_ID, ACCEPT))))));
        assertThat(fixture.asked().answers()).isEmpty();
        slow.written.complete(null);

        PartitionData one =
                only(fixture.asked().answer(ShareFetchResponse.class).data());
        assertThat(one.acknowledgeErrorCode()).isEqualTo(Errors.INVALID_RECORD_STATE.code());
        assertThat(one.acknowledgeErrorMessage()).isEqualTo("not its own");
    }

    @Test
    void closesTheSessionWhenItsLastAcknowledgementsAreWritten() {
        ShareFetchResponseData answer = handle(data(-1).setTopics(topics(acknowledging(TOPIC_ID, ACCEPT))));

        assertThat(shares.calls).containsExactly("session -1", "acknowledge t-0", "close m");
        assertThat(only(answer).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());
    }

    @Test
    void answersWithWhatThereIsWhenItIsHurried() {
        shares.isWaiting = true;
        handler.handle(fixture.request(request(data(0).setTopics(topics(topic(TOPIC_ID))))));
        assertThat(fixture.asked().answers()).isEmpty();

        fixture.asked().hurry();

        assertThat(only(fixture.asked().answer(ShareFetchResponse.class).data()).acquiredRecords())
                .isEmpty();
    }

    @Test
    void renewsWithoutFetching() {
        assertThat(only(handle(renewal())).acknowledgeErrorCode()).isEqualTo(Errors.NONE.code());
        assertThat(shares.calls).containsExactly("session 1", "acknowledge t-0");
    }

    @Test
    void renewsOnlyInGroupsThatMay() {
        shares.isRenewable = false;
        assertThat(only(handle(renewal())).acknowledgeErrorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(shares.calls).containsExactly("session 1");
    }

    @Test
    void refusesARequestThatRenewsAndWantsRecords() {
        handler.handle(fixture.request(request(data(1).setIsRenewAck(true))));

        assertThat(error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(shares.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(bytes = {5, -1, RENEW})
    void refusesAcknowledgementsOfAnotherKind(byte type) {
        ShareFetchResponseData answer = handle(data(1).setTopics(topics(acknowledging(TOPIC_ID, type))));

        assertThat(only(answer).acknowledgeErrorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
        assertThat(shares.calls).containsExactly("session 1", "fetch t-0");
    }

    @Test
    void tellsWhoLeadsAPartitionThatIsLedFromHereNoLonger() {
        shares.outcomes.put(new TopicIdPartition(TOPIC_ID, 0, "t"), new ApiError(Errors.NOT_LEADER_OR_FOLLOWER, null));

        ShareFetchResponseData answer = handle(data(1).setTopics(topics(acknowledging(TOPIC_ID, ACCEPT))));

        assertThat(only(answer).currentLeader().leaderId()).isEqualTo(7);
        assertThat(answer.nodeEndpoints()).singleElement().satisfies(node -> assertThat(node.host())
                .isEqualTo("host"));
    }

    @Test
    void passesOnWhyASessionIsRefused() {
        shares.refusal = Errors.SHARE_SESSION_NOT_FOUND.exception();

        handler.handle(fixture.request(request(data(3))));

        assertThat(error()).isEqualTo(Errors.SHARE_SESSION_NOT_FOUND);
    }

    @Test
    void refusesAGroupThatTheMemberMayNotRead() {
        fixture.authorization().deny("g");

        handler.handle(fixture.request(request(data(0))));

        assertThat(error()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(shares.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1234567890123456789012345678901234567"})
    void refusesWhatIsNoMemberId(String member) {
        handler.handle(fixture.request(request(data(0).setMemberId(member))));

        assertThat(error()).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void isNotServedInAClusterWithoutShareGroups() {
        fixture.level("share.version", (short) 0);

        handler.handle(fixture.request(request(data(0))));

        assertThat(error()).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    private Errors error() {
        return Errors.forException((Throwable) fixture.asked().answer());
    }

    private ShareFetchResponseData handle(ShareFetchRequestData data) {
        handler.handle(fixture.request(request(data)));
        return fixture.asked().answer(ShareFetchResponse.class).data();
    }

    private static ShareFetchRequest request(ShareFetchRequestData data) {
        return new ShareFetchRequest(data, (short) 2);
    }

    private static ShareFetchRequestData data(int epoch) {
        return new ShareFetchRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setShareSessionEpoch(epoch)
                .setMaxWaitMs(500)
                .setMinBytes(1)
                .setMaxBytes(1000)
                .setMaxRecords(10);
    }

    /** Renews record 0 of the topic and fetches nothing. */
    private static ShareFetchRequestData renewal() {
        return data(1).setIsRenewAck(true)
                .setMaxWaitMs(0)
                .setMinBytes(0)
                .setMaxBytes(0)
                .setMaxRecords(0)
                .setTopics(topics(acknowledging(TOPIC_ID, RENEW)));
    }

    private static FetchTopic topic(Uuid id) {
        FetchTopic topic = new FetchTopic().setTopicId(id);
        topic.partitions().add(new FetchPartition().setPartitionIndex(0));
        return topic;
    }

    private static FetchTopic acknowledging(Uuid id, byte type) {
        FetchTopic topic = topic(id);
        topic.partitions()
                .find(0)
                .acknowledgementBatches()
                .add(new AcknowledgementBatch()
                        .setFirstOffset(0)
                        .setLastOffset(1)
                        .setAcknowledgeTypes(List.of(type)));
        return topic;
    }

    private static ShareFetchRequestData.FetchTopicCollection topics(FetchTopic... topics) {
        ShareFetchRequestData.FetchTopicCollection all = new ShareFetchRequestData.FetchTopicCollection();
        for (FetchTopic topic : topics) {
            all.add(topic);
        }
        return all;
    }

    private static PartitionData only(ShareFetchResponseData answer) {
        assertThat(answer.responses()).hasSize(1);
        assertThat(answer.responses().iterator().next().partitions()).hasSize(1);
        return answer.responses().iterator().next().partitions().get(0);
    }

    private static Map<String, Errors> errors(ShareFetchResponseData answer) {
        Map<String, Errors> errors = new TreeMap<>();
        for (ShareFetchableTopicResponse topic : answer.responses()) {
            topic.partitions()
                    .forEach(one ->
                            errors.put(topic.topicId() + "-" + one.partitionIndex(), Errors.forCode(one.errorCode())));
        }
        return errors;
    }
}
