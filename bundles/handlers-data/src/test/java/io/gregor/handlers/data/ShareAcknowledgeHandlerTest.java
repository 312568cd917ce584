package io.gregor.handlers.data;

import static io.gregor.handlers.data.DataFixture.TOPIC_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import io.gregor.testing.Fake;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgePartition;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgementBatch;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.ShareAcknowledgeTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;
import org.apache.kafka.common.requests.ShareAcknowledgeResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareAcknowledgeHandlerTest {
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte RENEW = 4;
    private static final Uuid SECRET = Uuid.randomUuid();
    private static final Uuid GONE = Uuid.randomUuid();

    private final DataFixture fixture = new DataFixture();
    private final FakeShares shares = new FakeShares();
    private final Replicas replicas = Fake.of(Replicas.class, Map.of("leader", new KnownLeader(7, 3)));
    private final ShareAcknowledgeHandler handler =
            new ShareAcknowledgeHandler(shares, replicas, fixture.metadata(), fixture.authorization());

    @BeforeEach
    void prepare() {
        fixture.level("share.version", (short) 1);
        fixture.know("secret", SECRET);
        fixture.authorization().deny("secret");
    }

    @Test
    void answersWhenItIsWritten() {
        handle(1, false, topic(TOPIC_ID, 0, 0, 1, ACCEPT));
        assertThat(fixture.asked().answers()).isEmpty();

        shares.written.complete(null);

        assertThat(errors()).isEqualTo(Map.of(TOPIC_ID + "-0", Errors.NONE));
        assertThat(answer().acquisitionLockTimeoutMs()).isEqualTo(FakeShares.LOCK_MS);
        assertThat(shares.calls).containsExactly("acknowledging 1", "acknowledge t-0");
    }

    @Test
    void takesInOnlyWhatIsOfTopicsThatAreThereAndThatTheMemberMayRead() {
        shares.written.complete(null);

        handle(
                1,
                false,
                topic(TOPIC_ID, 0, 0, 1, ACCEPT),
                topic(SECRET, 0, 0, 1, ACCEPT),
                topic(GONE, 0, 0, 1, ACCEPT));

        assertThat(errors())
                .isEqualTo(Map.of(
                        TOPIC_ID + "-0", Errors.NONE,
                        SECRET + "-0", Errors.TOPIC_AUTHORIZATION_FAILED,
                        GONE + "-0", Errors.UNKNOWN_TOPIC_ID));
        assertThat(shares.calls).containsExactly("acknowledging 1", "acknowledge t-0");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1:1, NONE",
        "0, 1, 1:1:1, INVALID_REQUEST",
        "2, 1, 1, INVALID_REQUEST",
        "-1, 1, 1, INVALID_REQUEST"
    })
    void wantsOneTypeOrOneForEachOffset(long first, long last, String types, Errors outcome) {
        shares.written.complete(null);
        Byte[] each = List.of(types.split(":")).stream().map(Byte::valueOf).toArray(Byte[]::new);

        handle(1, false, topic(TOPIC_ID, 0, first, last, each));

        assertThat(errors()).isEqualTo(Map.of(TOPIC_ID + "-0", outcome));
    }

    @ParameterizedTest
    @CsvSource({"true, true, NONE", "false, true, INVALID_REQUEST", "true, false, INVALID_REQUEST"})
    void renewsIfTheRequestSaysSoAndTheGroupMay(boolean isRenewing, boolean isRenewable, Errors outcome) {
        shares.written.complete(null);
        shares.isRenewable = isRenewable;

        handle(1, isRenewing, topic(TOPIC_ID, 0, 0, 1, RENEW));

        assertThat(errors()).isEqualTo(Map.of(TOPIC_ID + "-0", outcome));
    }

    @Test
    void closesTheSessionWhenItsLastAcknowledgementsAreWritten() {
        handle(-1, false, topic(TOPIC_ID, 0, 0, 1, RELEASE));
        assertThat(shares.calls).containsExactly("acknowledging -1", "acknowledge t-0");

        shares.written.complete(null);

        assertThat(shares.calls).containsExactly("acknowledging -1", "acknowledge t-0", "close m");
        assertThat(errors()).isEqualTo(Map.of(TOPIC_ID + "-0", Errors.NONE));
    }

    @Test
    void tellsWhoLeadsAPartitionThatIsLedFromHereNoLonger() {
        shares.outcomes.put(new TopicIdPartition(TOPIC_ID, 0, "t"), new ApiError(Errors.NOT_LEADER_OR_FOLLOWER, null));
        shares.written.complete(null);

        handle(1, false, topic(TOPIC_ID, 0, 0, 1, ACCEPT));

        assertThat(errors()).isEqualTo(Map.of(TOPIC_ID + "-0", Errors.NOT_LEADER_OR_FOLLOWER));
        assertThat(answer().nodeEndpoints()).singleElement().satisfies(node -> assertThat(node.nodeId())
                .isEqualTo(7));
    }

    @Test
    void passesOnWhyASessionIsRefused() {
        shares.refusal = Errors.INVALID_SHARE_SESSION_EPOCH.exception();

        handle(3, false, topic(TOPIC_ID, 0, 0, 1, ACCEPT));

        assertThat(error()).isEqualTo(Errors.INVALID_SHARE_SESSION_EPOCH);
        assertThat(shares.calls).containsExactly("acknowledging 3");
    }

    @Test
    void refusesAGroupThatTheMemberMayNotRead() {
        fixture.authorization().deny("g");

        handle(1, false, topic(TOPIC_ID, 0, 0, 1, ACCEPT));

        assertThat(error()).isEqualTo(Errors.GROUP_AUTHORIZATION_FAILED);
        assertThat(shares.calls).isEmpty();
    }

    private Errors error() {
        return Errors.forException((Throwable) fixture.asked().answer());
    }

    private void handle(int epoch, boolean isRenewing, AcknowledgeTopic... topics) {
        ShareAcknowledgeRequestData data = new ShareAcknowledgeRequestData()
                .setGroupId("g")
                .setMemberId("m")
                .setShareSessionEpoch(epoch)
                .setIsRenewAck(isRenewing);
        for (AcknowledgeTopic topic : topics) {
            data.topics().add(topic);
        }
        handler.handle(fixture.request(new ShareAcknowledgeRequest(data, (short) 2)));
    }

    private static AcknowledgeTopic topic(Uuid id, int partition, long first, long last, Byte... types) {
        AcknowledgePartition one = new AcknowledgePartition()
                .setPartitionIndex(partition)
                .setAcknowledgementBatches(List.of(new AcknowledgementBatch()
                        .setFirstOffset(first)
                        .setLastOffset(last)
                        .setAcknowledgeTypes(List.of(types))));
        AcknowledgeTopic topic = new AcknowledgeTopic().setTopicId(id);
        topic.partitions().add(one);
        return topic;
    }

    private ShareAcknowledgeResponseData answer() {
        return fixture.asked().answer(ShareAcknowledgeResponse.class).data();
    }

    private Map<String, Errors> errors() {
        Map<String, Errors> errors = new TreeMap<>();
        for (ShareAcknowledgeTopicResponse topic : answer().responses()) {
            topic.partitions()
                    .forEach(one ->
                            errors.put(topic.topicId() + "-" + one.partitionIndex(), Errors.forCode(one.errorCode())));
        }
        return errors;
    }
}
