package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.share.SharePartitions.Wanted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitingShareFetchTest {
    private static final ShareSessionKey MEMBER = new ShareSessionKey("g", "member");
    private static final ShareSessionKey OTHER = new ShareSessionKey("g", "other");
    private static final int LONG_MS = 3_600_000;
    private static final int ALL = 1_000_000;

    private final List<SharePartition> partitions = new ArrayList<>();
    private final List<ShareSessionKey> gone = new ArrayList<>();
    private ShareFixture fixture;
    private TestLog a;
    private TestLog b;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        fixture = new ShareFixture(directory, member -> !gone.contains(member));
        a = open("a");
        b = open("b");
    }

    private TestLog open(String topic) throws IOException {
        TestLog log = fixture.open(topic);
        SharePartition partition =
                new SharePartition(new SharePartitionKey("g", log.partition()), fixture.context(), 1, ended -> {});
        partition.load();
        partitions.add(partition);
        return log;
    }

    @AfterEach
    void close() throws Exception {
        partitions.forEach(partition -> partition.end(Errors.NOT_LEADER_OR_FOLLOWER));
        fixture.close();
    }

    @Test
    void answersAtOnceWithWhatThereIs() throws IOException {
        a.append(3);

        TestAnswer answer = fetch(MEMBER, 1, ALL);

        assertThat(answer.get()).isEqualTo("a:0-2x1 b:");
        assertThat(answer.batches("a")).isEqualTo(1);
    }

    @Test
    void waitsUntilMoreIsVisible() throws IOException {
        TestAnswer answer = fetch(MEMBER, 1, ALL);
        assertThat(answer.isGiven()).isFalse();

        b.append(2);
        fixture.visible(b);

        assertThat(answer.get()).isEqualTo("a: b:0-1x1");
    }

    @Test
    void waitsForAsManyBytesAsAreWantedOrUntilItIsHurried() throws IOException {
        a.append(1);
        TestAnswer answer = fetch(MEMBER, 5000, ALL);
        a.append(1);
        fixture.visible(a);
        assertThat(answer.isGiven()).isFalse();

        answer.hurry();

        assertThat(answer.get()).isEqualTo("a:0-1x1 b:");
    }

    @Test
    void answersWithNothingWhenTheTimeIsOver() {
        TestAnswer answer = fetch(MEMBER, 1, ALL);

        answer.hurry();

        assertThat(answer.get()).isEqualTo("a: b:");
    }

    @Test
    void goesOnBehindWhatIsNotForMembers() throws IOException {
        fixture.set("share.isolation.level", "read_committed");
        a.transact(7, 0, 1);
        a.mark(7, ControlRecordType.ABORT);
        a.append(1);

        TestAnswer answer = fetch(MEMBER, 1, 2);

        assertThat(answer.get()).isEqualTo("a:2-2x1 b:");
    }

    @Test
    void doesNotSeeBehindAnOpenTransactionUntilItEnds() throws IOException {
        fixture.set("share.isolation.level", "read_committed");
        a.transact(7, 0, 1);
        TestAnswer answer = fetch(MEMBER, 1, ALL);
        assertThat(answer.isGiven()).isFalse();

        a.mark(7, ControlRecordType.COMMIT);
        fixture.visible(a);

        assertThat(answer.get()).isEqualTo("a:0-0x1 b:");
    }

    @Test
    void secondReadsWhenTheFirstHasDone() throws IOException {
        a.append(3);
        fixture.readLate(true);
        TestAnswer first = fetch(MEMBER, 1, ALL);
        fixture.readLate(false);
        TestAnswer second = fetch(OTHER, 1, ALL);
        assertThat(second.isGiven()).isFalse();
        a.append(2);

        fixture.bringLate();

        assertThat(first.get()).isEqualTo("a:0-2x1 b:");
        assertThat(second.get()).isEqualTo("a:3-4x1 b:");
    }

    @Test
    void waitsForWhatIsBeingReadThoughTheTimeIsOver() throws IOException {
        a.append(3);
        fixture.readLate(true);
        TestAnswer answer = fetch(MEMBER, 1, ALL);
        answer.hurry();
        assertThat(answer.isGiven()).isFalse();

        fixture.bringLate();

        assertThat(answer.get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatHasGoneGetsNothingSoThatOthersDo() throws IOException {
        TestAnswer answer = fetch(MEMBER, 1, ALL);
        gone.add(MEMBER);

        a.append(3);
        fixture.visible(a);

        assertThat(answer.get()).isEqualTo("a: b:");
        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatGoesWhileItsRecordsAreReadGetsNothingSoThatOthersDo() throws IOException {
        a.append(3);
        fixture.readLate(true);
        TestAnswer answer = fetch(MEMBER, 1, ALL);
        fixture.readLate(false);
        gone.add(MEMBER);

        fixture.bringLate();

        assertThat(answer.get()).isEqualTo("a: b:");
        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void memberThatGoesWhileItGetsRecordsLosesThemAtOnce() throws IOException {
        a.append(3);
        fixture.whenAcquired(() -> gone.add(MEMBER));

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a: b:");

        assertThat(fetch(OTHER, 1, ALL).get()).isEqualTo("a:0-2x2 b:");
    }

    @Test
    void endsWhenNoneOfItsPartitionsIsLedFromHereAnyMore() {
        TestAnswer answer = fetch(MEMBER, 1, ALL);

        partitions.get(0).onBecomingFollower(a.partition().topicPartition());
        assertThat(answer.isGiven()).isFalse();
        partitions.get(1).onBecomingFollower(b.partition().topicPartition());

        assertThat(answer.get()).isEqualTo("a:NOT_LEADER_OR_FOLLOWER b:NOT_LEADER_OR_FOLLOWER");
    }

    @Test
    void tellsOfDamagedRecordsAndGivesTheOthers() throws IOException {
        a.append(3);
        b.append(2);
        fixture.damage(a, MemoryRecords.readableRecords(ByteBuffer.wrap(new byte[] {
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2
        })));

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:CORRUPT_MESSAGE b:0-1x1");
        fixture.damage(a, null);

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:0-2x1 b:");
    }

    @Test
    void tellsOfALogThatCannotBeReadAndGivesTheOthers() throws IOException {
        a.append(3);
        b.append(2);
        fixture.close(b);

        assertThat(fetch(MEMBER, 1, ALL).get()).isEqualTo("a:0-2x1 b:KAFKA_STORAGE_ERROR");
    }

    private TestAnswer fetch(ShareSessionKey member, int minBytes, int maxBytes) {
        TestAnswer answer = new TestAnswer();
        Wanted wanted = new Wanted(member, 1, LONG_MS, minBytes, maxBytes, 100, 100, ShareAcquireMode.BATCH_OPTIMIZED);
        answer.waits(fixture.fetches().fetch(fixture.context(), wanted, partitions, answer::take));
        return answer;
    }
}
