package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.persister.PersisterStateBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordsInFlightTest {
    private static final Limits LIMITS = new Limits(5, 100, false);
    private static final byte GAP = 0;
    private static final byte ACCEPT = 1;
    private static final byte RELEASE = 2;
    private static final byte REJECT = 3;
    private static final byte RENEW = 4;
    private static final byte AVAILABLE = 0;
    private static final byte ACKNOWLEDGED = 2;
    private static final byte ARCHIVED = 4;

    private final RecordsInFlight records = new RecordsInFlight(0, List.of());
    private final List<RecordLock> locks = new ArrayList<>();

    @Test
    void givesNewRecordsOutInWholeBatches() {
        Acquired acquired = acquire("a", 3, 0, batch(0, 1), batch(2, 4), batch(5, 9));

        assertThat(ranges(acquired)).isEqualTo("0-4x1");
        assertThat(records.window().next(LIMITS)).isEqualTo(5);
        assertThat(records.window().startOffset()).isZero();
    }

    @Test
    void givesNotOneRecordMoreThanWantedWhenTheLimitIsStrict() {
        Acquired acquired = records.acquire(strict("a", 3), 0, List.of(batch(0, 1), batch(2, 9)), LIMITS);

        assertThat(ranges(acquired)).isEqualTo("0-2x1");
        assertThat(records.window().next(LIMITS)).isEqualTo(3);
    }

    @Test
    void joinsRangesUpToTheBatchSize() {
        Acquired acquired = records.acquire(
                new Acquiring("a", ShareAcquireMode.BATCH_OPTIMIZED, 100, 4, lock()),
                0,
                List.of(batch(0, 1), batch(2, 3), batch(4, 5), batch(6, 15)),
                LIMITS);

        assertThat(ranges(acquired)).isEqualTo("0-3x1 4-5x1 6-15x1");
    }

    @Test
    void doesNotGiveTheSameRecordToTwo() {
        acquire("a", 100, 0, batch(0, 9));

        Acquired second = acquire("b", 100, 0, batch(0, 9));

        assertThat(second.isEmpty()).isTrue();
    }

    @Test
    void leavesOutWhatIsNotForMembers() {
        Acquired acquired =
                acquire("a", 100, 0, batch(0, 4), hidden(5, 5), hidden(6, 9), batch(10, 11), hidden(12, 12));

        assertThat(ranges(acquired)).isEqualTo("0-4x1 10-11x1");
        assertThat(records.window().next(LIMITS)).isEqualTo(13);
        assertThat(records.runs().records()).isEqualTo(7);
    }

    @Test
    void movesOnWhenNothingOfWhatWasReadIsForMembers() {
        acquire("a", 100, 0, hidden(0, 9));

        assertThat(records.window().startOffset()).isEqualTo(10);
        assertThat(records.window().next(LIMITS)).isEqualTo(10);
    }

    @Test
    void takesOffsetsThatTheLogHasNotForDone() {
        Acquired acquired = acquire("a", 100, 0, batch(3, 4), batch(8, 9));

        assertThat(ranges(acquired)).isEqualTo("3-4x1 8-9x1");
        assertThat(records.window().startOffset()).isEqualTo(3);
    }

    @Test
    void givesNoNewRecordsOutWhenTooManyAreInFlight() {
        Limits few = new Limits(5, 4, false);
        records.acquire(batches("a", 100), 0, List.of(batch(0, 4), batch(5, 9)), few);

        assertThat(records.window().endOffset()).isEqualTo(4);
        assertThat(records.window().next(few)).isEqualTo(-1);
    }

    @Test
    void countsOnlyRecordsThatAreNotDoneAsInFlight() {
        Limits few = new Limits(5, 4, false);
        records.acquire(batches("a", 100), 0, List.of(batch(0, 4)), few);

        write(acknowledge("a", of(1, 4, ACCEPT)));

        assertThat(records.window().next(few)).isEqualTo(5);
        assertThat(records.window().startOffset()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, ACKNOWLEDGED, 2-3:2x1, 5",
        "2, AVAILABLE,    2-3:0x1, 2",
        "3, ARCHIVED,     2-3:4x1, 5",
        "0, ARCHIVED,     2-3:4x1, 5"
    })
    void writesWhatBecameOfAPartOfABatch(byte type, String state, String written, long next) {
        acquire("a", 100, 0, batch(0, 4));

        StateChange change = acknowledge("a", of(2, 3, type));

        assertThat(written(change)).as(state).isEqualTo(written);
        assertThat(records.window().next(LIMITS)).isEqualTo(5);
        write(change);
        assertThat(records.window().next(LIMITS)).isEqualTo(next);
        assertThat(records.window().startOffset()).isZero();
    }

    @Test
    void takesAnAcknowledgementOfEachOffset() {
        acquire("a", 100, 0, batch(0, 5));

        StateChange change = acknowledge(
                "a", new ShareAcknowledgementBatch(0, 5, List.of(ACCEPT, ACCEPT, RELEASE, REJECT, GAP, ACCEPT)));

        assertThat(written(change)).isEqualTo("0-1:2x1 2-2:0x1 3-4:4x1 5-5:2x1");
        write(change);
        assertThat(records.window().startOffset()).isEqualTo(2);
        assertThat(records.window().done()).isEqualTo(3);
    }

    @Test
    void movesTheStartOnlyWhenTheAcknowledgementIsWritten() {
        acquire("a", 100, 0, batch(0, 9));
        StateChange change = acknowledge("a", of(0, 4, ACCEPT));

        assertThat(records.window().startOffset()).isZero();
        assertThat(records.window().done()).isEqualTo(5);
        write(change);
        assertThat(records.window().startOffset()).isEqualTo(5);
        assertThat(records.window().done()).isZero();
    }

    @Test
    void countsDeliveriesUntilTheLimit() {
        for (int delivery = 1; delivery <= 5; delivery++) {
            Acquired acquired = acquire("a", 100, 0, batch(0, 0));
            assertThat(ranges(acquired)).isEqualTo("0-0x" + delivery);
            write(acknowledge("a", of(0, 0, RELEASE)));
        }

        assertThat(records.window().next(LIMITS)).isEqualTo(1);
        assertThat(records.window().startOffset()).isEqualTo(1);
    }

    @Test
    void setsBadRecordsApartAsTheLimitComesNear() {
        for (int delivery = 1; delivery <= 3; delivery++) {
            acquire("a", 100, 0, batch(0, 7));
            write(acknowledge("a", of(0, 7, RELEASE)));
        }

        Acquired half = acquire("a", 100, 0, batch(0, 7));
        assertThat(ranges(half)).isEqualTo("0-3x4");
        write(acknowledge("a", of(0, 3, RELEASE)));
        Acquired last = acquire("a", 100, 0, batch(0, 7), batch(8, 9));

        assertThat(ranges(last)).isEqualTo("0-0x5");
    }

    @Test
    void setsBadRecordsApartHoweverTheyAreBatchedInTheLog() {
        ReadBatch[] single = {batch(0, 0), batch(1, 1), batch(2, 2), batch(3, 3), batch(4, 4)};
        for (int delivery = 1; delivery <= 3; delivery++) {
            acquire("a", 100, 0, single);
            write(acknowledge("a", of(0, records.window().endOffset(), RELEASE)));
        }

        assertThat(ranges(acquire("a", 100, 0, single))).isEqualTo("0-1x4");
        assertThat(ranges(acquire("b", 100, 2, single))).isEqualTo("2-2x4");
    }

    @Test
    void takesRecordsBackWhenTheTimeIsOver() {
        acquire("a", 100, 0, batch(0, 4));
        write(acknowledge("a", of(1, 2, ACCEPT)));

        StateChange change = records.expire(locks.get(0), LIMITS);

        assertThat(written(change)).isEqualTo("0-0:0x1 3-4:0x1");
        assertThat(ranges(acquire("b", 100, 0, batch(0, 4)))).isEqualTo("0-0x2 3-4x2");
    }

    @Test
    void endsTheTimeWithTheLastRecord() {
        acquire("a", 100, 0, batch(0, 4));

        write(acknowledge("a", of(0, 3, ACCEPT)));
        assertThat(locks.get(0).isHeld()).isTrue();
        write(acknowledge("a", of(4, 4, RELEASE)));

        assertThat(locks.get(0).isHeld()).isFalse();
    }

    @Test
    void givesMoreTimeToWhatIsRenewed() {
        acquire("a", 100, 0, batch(0, 4));
        RecordLock renewed = new RecordLock(1000, expired -> {});

        StateChange change = records.acknowledge("a", List.of(of(1, 2, RENEW)), renewed, LIMITS);

        assertThat(change.isEmpty()).isTrue();
        assertThat(written(records.expire(locks.get(0), LIMITS))).isEqualTo("0-0:0x1 3-4:0x1");
        assertThat(written(records.expire(renewed, LIMITS))).isEqualTo("1-2:0x1");
    }

    @Test
    void refusesWhatAnotherMemberHas() {
        acquire("a", 100, 0, batch(0, 4));

        assertThatThrownBy(() -> acknowledge("b", of(0, 4, ACCEPT))).isInstanceOf(InvalidRecordStateException.class);
        assertThat(written(acknowledge("a", of(0, 4, ACCEPT)))).isEqualTo("0-4:2x1");
    }

    @Test
    void refusesWhatIsAcknowledgedAlready() {
        acquire("a", 100, 0, batch(0, 9));
        write(acknowledge("a", of(4, 5, ACCEPT)));

        assertThatThrownBy(() -> acknowledge("a", of(3, 4, ACCEPT))).isInstanceOf(InvalidRecordStateException.class);
        assertThatThrownBy(() -> acknowledge("a", of(5, 5, ACCEPT))).isInstanceOf(InvalidRecordStateException.class);
    }

    @Test
    void leavesOutWhatIsBeforeTheStart() {
        acquire("a", 100, 0, batch(0, 9));
        write(acknowledge("a", of(0, 4, ACCEPT)));

        assertThat(acknowledge("a", of(0, 3, ACCEPT)).isEmpty()).isTrue();
        assertThat(written(acknowledge("a", of(3, 6, ACCEPT)))).isEqualTo("5-6:2x1");
    }

    @Test
    void refusesWhatIsAcknowledgedTwiceAtOnce() {
        acquire("a", 100, 0, batch(0, 9));

        assertThatThrownBy(() -> acknowledge("a", of(5, 6, ACCEPT), of(6, 7, ACCEPT)))
                .isInstanceOf(InvalidRecordStateException.class);
    }

    @Test
    void refusesWhatIsBeingWritten() {
        acquire("a", 100, 0, batch(0, 9));
        acknowledge("a", of(3, 4, ACCEPT));

        assertThatThrownBy(() -> acknowledge("a", of(4, 5, RELEASE))).isInstanceOf(InvalidRecordStateException.class);
    }

    @Test
    void refusesOffsetsThatWereNotGivenOut() {
        acquire("a", 100, 0, batch(0, 9));

        assertThatThrownBy(() -> acknowledge("a", of(5, 10, ACCEPT))).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void takesAllAcknowledgementsOrNone() {
        acquire("a", 100, 0, batch(0, 9));
        write(acknowledge("a", of(5, 5, ACCEPT)));

        assertThatThrownBy(() -> acknowledge("a", of(0, 1, ACCEPT), of(5, 6, ACCEPT)))
                .isInstanceOf(InvalidRecordStateException.class);
        assertThat(written(acknowledge("a", of(0, 4, ACCEPT), of(6, 9, RELEASE))))
                .isEqualTo("0-4:2x1 6-9:0x1");
    }

    @Test
    void leavesRecordsWithTheirMemberWhenTheyCouldNotBeWritten() {
        acquire("a", 100, 0, batch(0, 4));
        StateChange change = acknowledge("a", of(0, 4, ACCEPT));

        StateChange late = records.complete(change, false, LIMITS);

        assertThat(late.isEmpty()).isTrue();
        assertThat(written(acknowledge("a", of(0, 4, REJECT)))).isEqualTo("0-4:4x1");
    }

    @Test
    void takesRecordsBackWhoseTimeWasOverWhileTheyCouldNotBeWritten() {
        acquire("a", 100, 0, batch(0, 4));
        StateChange change = acknowledge("a", of(0, 4, ACCEPT));
        assertThat(records.expire(locks.get(0), LIMITS).isEmpty()).isTrue();

        StateChange late = records.complete(change, false, LIMITS);

        assertThat(written(late)).isEqualTo("0-4:0x1");
        assertThat(records.window().next(LIMITS)).isZero();
    }

    @Test
    void releasesWhatAMemberHadWhenItLeaves() {
        acquire("a", 100, 0, batch(0, 4));
        acquire("b", 100, 5, batch(5, 9));

        StateChange change = records.release("a", LIMITS);

        assertThat(written(change)).isEqualTo("0-4:0x1");
        assertThat(ranges(acquire("c", 100, 0, batch(0, 9)))).isEqualTo("0-4x2");
    }

    @Test
    void leavesWhatMembersHaveWhenTheLogStartMoves() {
        acquire("a", 100, 0, batch(0, 4));
        write(acknowledge("a", of(0, 1, RELEASE)));

        records.window().moveStart(3);

        assertThat(records.window().startOffset()).isEqualTo(3);
        assertThat(records.window().next(LIMITS)).isEqualTo(5);
        assertThat(written(acknowledge("a", of(2, 4, ACCEPT)))).isEqualTo("2-4:2x1");
    }

    @Test
    void forgetsWhatComesBackFromBeforeTheLogStart() {
        acquire("a", 100, 0, batch(0, 4));
        records.window().moveStart(5);

        StateChange change = records.expire(locks.get(0), LIMITS);

        assertThat(written(change)).isEqualTo("0-4:4x1");
        assertThat(records.runs().records()).isZero();
        assertThat(records.window().startOffset()).isEqualTo(5);
    }

    @Test
    void goesOnBehindTheLogStartWhenAllIsGone() {
        records.window().moveStart(50);

        assertThat(records.window().startOffset()).isEqualTo(50);
        assertThat(ranges(acquire("a", 100, 50, batch(45, 54)))).isEqualTo("50-54x1");
    }

    @Test
    void beginsWithWhatWasWritten() {
        RecordsInFlight loaded = new RecordsInFlight(
                10,
                List.of(
                        new PersisterStateBatch(10, 11, ACKNOWLEDGED, (short) 1),
                        new PersisterStateBatch(12, 14, AVAILABLE, (short) 3),
                        new PersisterStateBatch(17, 18, ARCHIVED, (short) 5)));

        assertThat(loaded).hasToString("12..18 [12-14:AVAILABLEx3, 15-16:AVAILABLEx0]");
    }

    @Test
    void keepsRecordsThatAreToBeDeadLettersUntilTheyAre() {
        Limits buried = new Limits(5, 100, true);
        records.acquire(batches("a", 100), 0, List.of(batch(0, 4)), buried);
        StateChange change = records.acknowledge("a", List.of(of(1, 2, REJECT)), null, buried);
        write(change);

        assertThat(change.deadLetters()).singleElement().satisfies(dead -> assertThat(dead.first())
                .isEqualTo(1));
        assertThat(records.runs().records()).isEqualTo(5);
        assertThat(written(records.buried(1, 2))).isEqualTo("1-2:4x1");
        assertThat(records.runs().records()).isEqualTo(3);
    }

    @Test
    void recordsAreToBeDeadLettersBeforeItIsWrittenOnlyIfTheirMemberHasLostThem() {
        Limits buried = new Limits(1, 100, true);
        records.acquire(batches("a", 100), 0, List.of(batch(0, 4)), buried);
        StateChange rejected = records.acknowledge("a", List.of(of(0, 1, REJECT)), null, buried);

        StateChange lost = records.release("a", buried);

        assertThat(records.dying(rejected)).isEmpty();
        assertThat(records.dying(lost)).singleElement().satisfies(dead -> assertThat(dead.first())
                .isEqualTo(2));
    }

    @Test
    void isUntoldOnlyWhileNothingThatWillTellIsInFlight() {
        acquire("a", 100, 0, batch(0, 4), hidden(5, 5));
        assertThat(records.window().isUntold()).isFalse();
        write(acknowledge("a", of(0, 4, RELEASE)));
        records.window().told(true);
        assertThat(records.window().isUntold()).isFalse();

        records.window().moveStart(6);

        assertThat(records.window().isUntold()).isTrue();
        assertThat(records.window().startOffset()).isEqualTo(6);
    }

    private void write(StateChange change) {
        records.complete(change, true, LIMITS);
    }

    private StateChange acknowledge(String member, ShareAcknowledgementBatch... batches) {
        return records.acknowledge(member, List.of(batches), null, LIMITS);
    }

    private static ShareAcknowledgementBatch of(long first, long last, byte type) {
        return new ShareAcknowledgementBatch(first, last, List.of(type));
    }

    private Acquired acquire(String member, long maxRecords, long from, ReadBatch... read) {
        return records.acquire(batches(member, maxRecords), from, List.of(read), LIMITS);
    }

    private Acquiring batches(String member, long maxRecords) {
        return new Acquiring(member, ShareAcquireMode.BATCH_OPTIMIZED, maxRecords, 100, lock());
    }

    private Acquiring strict(String member, long maxRecords) {
        return new Acquiring(member, ShareAcquireMode.RECORD_LIMIT, maxRecords, 100, lock());
    }

    private RecordLock lock() {
        RecordLock lock = new RecordLock(1000, expired -> {});
        locks.add(lock);
        return lock;
    }

    private static ReadBatch batch(long first, long last) {
        return new ReadBatch(first, last, 0, 100, true);
    }

    private static ReadBatch hidden(long first, long last) {
        return new ReadBatch(first, last, 0, 100, false);
    }

    private static String ranges(Acquired acquired) {
        return String.join(
                " ",
                acquired.ranges().stream()
                        .map(range -> range.firstOffset() + "-" + range.lastOffset() + "x" + range.deliveryCount())
                        .toList());
    }

    private static String written(StateChange change) {
        return String.join(
                " ",
                change.batches().stream()
                        .map(batch -> batch.firstOffset() + "-" + batch.lastOffset() + ":" + batch.deliveryState() + "x"
                                + batch.deliveryCount())
                        .toList());
    }
}
