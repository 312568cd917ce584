package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.share.SharePartitions.SessionStep;
import io.gregor.internal.share.SharePartitions.Wanted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.session.ShareSessionCache;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedSharePartitionsTest {
    private static final ShareSessionKey MEMBER = new ShareSessionKey("g", "member");
    private static final ShareSessionKey OTHER = new ShareSessionKey("g", "other");
    private static final int LONG_MS = 3_600_000;
    private static final byte ACCEPT = 1;

    private final ShareSessionCache cache = new ShareSessionCache(10);
    private final ShareSessions sessions = new ShareSessions(cache);
    private ShareFixture fixture;
    private LedSharePartitions led;
    private TestLog a;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        fixture = new ShareFixture(directory, sessions::isOpen);
        led = new LedSharePartitions(fixture.context(), sessions, fixture.fetches());
        cache.registerShareGroupListener(led);
        a = fixture.open("a");
        begin(MEMBER);
        begin(OTHER);
    }

    @AfterEach
    void close() throws Exception {
        led.close();
        fixture.close();
    }

    @Test
    void recordsOfAMemberAreFreeWhenItsSessionIsClosed() throws IOException {
        a.append(3);
        assertThat(fetch(MEMBER).get()).isEqualTo("a:0-2x1");

        led.closeSession(MEMBER);

        assertThat(fetch(OTHER).get()).isEqualTo("a:0-2x2");
    }

    @Test
    void waitOfAMemberEndsWithItsConnection() throws IOException {
        TestAnswer waiting = fetch(MEMBER);
        assertThat(waiting.isGiven()).isFalse();

        cache.connectionDisconnectListener().onDisconnect(MEMBER.memberId());
        assertThat(waiting.get()).isEqualTo("a:");

        a.append(3);
        assertThat(fetch(OTHER).get()).isEqualTo("a:0-2x1");
    }

    @Test
    void givesNothingToAMemberThatGoesWhileItGetsRecords() throws IOException {
        a.append(3);
        fixture.whenAcquired(() -> cache.connectionDisconnectListener().onDisconnect(MEMBER.memberId()));

        assertThat(fetch(MEMBER).get()).isEqualTo("a:");

        fixture.whenAcquired(() -> {});
        assertThat(fetch(OTHER).get()).isEqualTo("a:0-2x2");
    }

    @Test
    void forgetsAGroupWithItsLastMember() throws IOException {
        a.append(3);
        fetch(MEMBER);
        cache.connectionDisconnectListener().onDisconnect(OTHER.memberId());
        assertThat(acknowledge(0, 0)).isEqualTo(Errors.NONE);

        cache.connectionDisconnectListener().onDisconnect(MEMBER.memberId());

        assertThat(acknowledge(1, 1)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void loadsAgainWhatWasLedElsewhereMeanwhile() throws IOException {
        a.append(3);
        fetch(MEMBER);
        led.close();
        assertThat(acknowledge(0, 2)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);

        assertThat(fetch(OTHER).get()).isEqualTo("a:0-2x1");
    }

    @Test
    void endsAllSessionsAndPartitionsWhenTheClusterServesShareGroupsNoMore() throws IOException {
        a.append(3);
        fetch(MEMBER);
        TestAnswer waiting = fetch(OTHER);
        ShareVersionFollower follower = new ShareVersionFollower(led);

        setShareVersion(follower, 2);
        assertThat(waiting.isGiven()).isFalse();
        assertThat(acknowledge(0, 0)).isEqualTo(Errors.NONE);

        setShareVersion(follower, 0);
        assertThat(waiting.isGiven()).isTrue();
        assertThat(cache.size()).isZero();
        assertThat(acknowledge(1, 1)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private static void setShareVersion(ShareVersionFollower follower, int level) {
        MetadataDelta delta = new MetadataDelta.Builder().build();
        delta.replay(new FeatureLevelRecord().setName(ShareVersion.FEATURE_NAME).setFeatureLevel((short) level));
        follower.follow(delta, delta.apply(MetadataProvenance.EMPTY));
    }

    @Test
    void tellsOfEachPartitionWhatBecameOfItsAcknowledgements() throws IOException {
        a.append(3);
        fetch(MEMBER);

        assertThat(acknowledge(1, 1)).isEqualTo(Errors.NONE);
        assertThat(acknowledge(1, 2)).isEqualTo(Errors.INVALID_RECORD_STATE);
        assertThat(acknowledge(2, 3)).isEqualTo(Errors.INVALID_REQUEST);
    }

    @Test
    void settingsOfAGroupHoldFromTheNextFetchOn() throws IOException {
        fixture.set("share.partition.max.record.locks", "100");
        a.append(100);
        a.append(1);
        assertThat(fetch(MEMBER).get()).isEqualTo("a:0-99x1");
        TestAnswer waiting = fetch(OTHER);
        assertThat(waiting.isGiven()).isFalse();

        fixture.set("share.partition.max.record.locks", "101");
        fixture.visible(a);

        assertThat(waiting.get()).isEqualTo("a:100-100x1");
    }

    private void begin(ShareSessionKey member) {
        led.session(new SessionStep(member, 0, List.of(a.partition()), List.of(), false, member.memberId()));
    }

    private TestAnswer fetch(ShareSessionKey member) {
        TestAnswer answer = new TestAnswer();
        Wanted wanted = new Wanted(member, 1, LONG_MS, 1, 1_000_000, 100, 100, ShareAcquireMode.BATCH_OPTIMIZED);
        answer.waits(led.fetch(wanted, List.of(a.partition()), answer::take));
        return answer;
    }

    private Errors acknowledge(long first, long last) {
        return led.acknowledge(
                        MEMBER,
                        Map.of(a.partition(), List.of(new ShareAcknowledgementBatch(first, last, List.of(ACCEPT)))))
                .join()
                .get(a.partition())
                .error();
    }
}
