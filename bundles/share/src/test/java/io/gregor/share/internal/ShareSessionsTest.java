package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.share.SharePartitions.SessionStep;
import java.util.List;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidShareSessionEpochException;
import org.apache.kafka.common.errors.ShareSessionLimitReachedException;
import org.apache.kafka.common.errors.ShareSessionNotFoundException;
import org.apache.kafka.server.share.context.FinalContext;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.session.ShareSessionCache;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.junit.jupiter.api.Test;

class ShareSessionsTest {
    private static final ShareSessionKey MEMBER = new ShareSessionKey("g", "member");
    private static final ShareSessionKey OTHER = new ShareSessionKey("g", "other");
    private static final TopicIdPartition A = new TopicIdPartition(Uuid.randomUuid(), 0, "a");
    private static final TopicIdPartition B = new TopicIdPartition(Uuid.randomUuid(), 0, "b");

    private final ShareSessionCache cache = new ShareSessionCache(2);
    private final ShareSessions sessions = new ShareSessions(cache);

    @Test
    void remembersThePartitionsOfASession() {
        assertThat(partitions(step(MEMBER, 0, List.of(A), List.of()))).containsExactly(A);
        assertThat(partitions(step(MEMBER, 1, List.of(B), List.of()))).containsExactlyInAnyOrder(A, B);
        assertThat(partitions(step(MEMBER, 2, List.of(), List.of(A)))).containsExactly(B);
        assertThat(cache.totalPartitions()).isEqualTo(1);
    }

    @Test
    void refusesAnEpochThatIsNotTheNextOne() {
        step(MEMBER, 0, List.of(A), List.of());

        assertThatThrownBy(() -> step(MEMBER, 2, List.of(), List.of()))
                .isInstanceOf(InvalidShareSessionEpochException.class);
        assertThat(partitions(step(MEMBER, 1, List.of(), List.of()))).containsExactly(A);
        assertThatThrownBy(() -> step(MEMBER, 1, List.of(), List.of()))
                .isInstanceOf(InvalidShareSessionEpochException.class);
    }

    @Test
    void refusesToGoOnWithASessionThatIsNotThere() {
        assertThatThrownBy(() -> step(MEMBER, 1, List.of(A), List.of()))
                .isInstanceOf(ShareSessionNotFoundException.class);
        assertThatThrownBy(() -> step(MEMBER, -1, List.of(), List.of()))
                .isInstanceOf(ShareSessionNotFoundException.class);
    }

    @Test
    void beginsAnewWithoutThePartitionsOfBefore() {
        step(MEMBER, 0, List.of(A), List.of());
        step(MEMBER, 1, List.of(), List.of());

        step(MEMBER, 0, List.of(B), List.of());

        assertThat(partitions(step(MEMBER, 1, List.of(), List.of()))).containsExactly(B);
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void refusesToBeginWithAcknowledgements() {
        assertThatThrownBy(() -> sessions.step(new SessionStep(MEMBER, 0, List.of(A), List.of(), true, "1")))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(sessions.isOpen(MEMBER)).isFalse();
    }

    @Test
    void staysOpenUntilTheLastRequestIsAnswered() {
        step(MEMBER, 0, List.of(A), List.of());

        assertThat(step(MEMBER, -1, List.of(), List.of())).isInstanceOf(FinalContext.class);
        assertThat(sessions.isOpen(MEMBER)).isTrue();
        sessions.close(MEMBER);

        assertThat(sessions.isOpen(MEMBER)).isFalse();
    }

    @Test
    void refusesOneMoreThanThereMayBe() {
        step(MEMBER, 0, List.of(A), List.of());
        step(OTHER, 0, List.of(A), List.of());
        ShareSessionKey third = new ShareSessionKey("g", "third");

        assertThatThrownBy(() -> step(third, 0, List.of(A), List.of()))
                .isInstanceOf(ShareSessionLimitReachedException.class);
        step(OTHER, 0, List.of(B), List.of());
        sessions.close(MEMBER);
        step(third, 0, List.of(A), List.of());

        assertThat(sessions.isOpen(third)).isTrue();
    }

    @Test
    void countsRequestsThatOnlyAcknowledge() {
        step(MEMBER, 0, List.of(A), List.of());

        sessions.acknowledging(MEMBER, 1);
        assertThatThrownBy(() -> sessions.acknowledging(MEMBER, 1))
                .isInstanceOf(InvalidShareSessionEpochException.class);
        sessions.acknowledging(MEMBER, -1);

        assertThat(partitions(step(MEMBER, 2, List.of(), List.of()))).containsExactly(A);
    }

    @Test
    void refusesAcknowledgementsWithoutASession() {
        assertThatThrownBy(() -> sessions.acknowledging(MEMBER, 0))
                .isInstanceOf(InvalidShareSessionEpochException.class);
        assertThatThrownBy(() -> sessions.acknowledging(MEMBER, 1)).isInstanceOf(ShareSessionNotFoundException.class);
        assertThatThrownBy(() -> sessions.acknowledging(MEMBER, -1)).isInstanceOf(ShareSessionNotFoundException.class);
    }

    @Test
    void endsWithItsConnectionUnlessItGoesOnOverAnother() {
        step(MEMBER, 0, List.of(A), List.of(), "1");
        step(OTHER, 0, List.of(A), List.of(), "2");
        step(OTHER, 0, List.of(A), List.of(), "3");

        cache.connectionDisconnectListener().onDisconnect("1");
        cache.connectionDisconnectListener().onDisconnect("2");

        assertThat(sessions.isOpen(MEMBER)).isFalse();
        assertThat(sessions.isOpen(OTHER)).isTrue();
    }

    private ShareFetchContext step(
            ShareSessionKey member, int epoch, List<TopicIdPartition> added, List<TopicIdPartition> forgotten) {
        return step(member, epoch, added, forgotten, member.memberId());
    }

    private ShareFetchContext step(
            ShareSessionKey member,
            int epoch,
            List<TopicIdPartition> added,
            List<TopicIdPartition> forgotten,
            String connection) {
        return sessions.step(new SessionStep(member, epoch, added, forgotten, false, connection));
    }

    private static List<TopicIdPartition> partitions(ShareFetchContext session) {
        return session.getErroneousAndValidTopicIdPartitions().validTopicIdPartitions();
    }
}
