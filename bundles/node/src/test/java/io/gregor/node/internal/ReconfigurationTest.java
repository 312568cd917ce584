package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of one change: tried, stored, switched on, or refused and undone. */
class ReconfigurationTest {
    private static final ApiError TIMED_OUT = new ApiError(Errors.REQUEST_TIMED_OUT, "no answer");

    @TempDir
    Path home;

    private final FakePart threads = new FakePart("num.io.threads", "num.network.threads");
    private final FakePart limits = new FakePart("max.connections");

    @Test
    void triesStoresAndSwitchesOnWhenTheLogBringsItBack() {
        LiveRig rig = LiveRig.running(home, threads, limits);

        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");
        assertThat(threads.calls).containsExactly("prepare {num.io.threads=8→9}");
        rig.answerAnew(ApiError.NONE);
        assertThat(threads.calls).doesNotContain("commit");
        assertThat(outcome).isNotDone();
        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "9")));

        assertThat(threads.calls).endsWith("commit");
        assertThat(limits.has).isEmpty();
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(9);
        assertThat(outcome.join().error()).isEqualTo(ApiError.NONE);
        assertThat(rig.journal.entries())
                .containsExactly(new JournalEntry(
                        1, 0, "alice", "admin", Scope.NODE, Map.of(), Map.of("num.io.threads", "9"), "applied", true));
    }

    @Test
    void whatAPartSaysOfAChangeIsToldWithoutItsSecrets() {
        FakePart plugin = new FakePart("acme.secret").refusing("acme.secret", "marker-1234");
        LiveRig rig = LiveRig.running(home, plugin);

        Outcome refused = rig.propose(Scope.NODE, "acme.secret=marker-1234").join();
        rig.seen(rig.stored().with(Scope.NODE, Map.of("acme.secret", "marker-1234")));

        assertThat(refused.error().message()).isEqualTo("acme.secret=[hidden] is refused by the part");
        assertThat(rig.values.notApplied()).containsEntry("acme.secret", "acme.secret=[hidden] is refused by the part");
        assertThat(rig.journal.entries().toString()).contains("[hidden]").doesNotContain("marker-1234");
    }

    @Test
    void whatCannotBeSwitchedOnIsToldWithoutItsSecrets() {
        FakePart plugin = new FakePart("acme.secret");
        plugin.commitFault = "no login with marker-1234";
        LiveRig rig = LiveRig.running(home, plugin);

        Outcome failed = rig.change(Scope.NODE, "acme.secret=marker-1234");

        assertThat(failed.error().message()).contains("no login with [hidden]");
        assertThat(rig.journal.entries().toString()).doesNotContain("marker-1234");
    }

    @Test
    void theLogMayBeFasterThanTheAnswer() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.CLUSTER, "num.io.threads=9");

        rig.seen(rig.stored().with(Scope.CLUSTER, Map.of("num.io.threads", "9")));
        rig.answerAnew(ApiError.NONE);

        assertThat(outcome.join().error()).isEqualTo(ApiError.NONE);
        assertThat(threads.calls).containsExactly("prepare {num.io.threads=8→9}", "commit");
        assertThat(rig.journal.entries()).hasSize(1);
    }

    @Test
    void whatOnePartRefusesIsUndoneInTheOthersAndNotStored() {
        LiveRig rig = LiveRig.running(home, threads, limits.refusing("max.connections", 7));

        Outcome outcome =
                rig.propose(Scope.NODE, "num.io.threads=9", "max.connections=7").join();

        assertThat(outcome.error())
                .isEqualTo(new ApiError(Errors.INVALID_REQUEST, "max.connections=7 is refused by the part"));
        assertThat(threads.calls).endsWith("undo");
        assertThat(rig.answer.getNumberOfDependents()).isZero();
        assertThat(rig.journal.entries().get(0).result())
                .isEqualTo("refused: max.connections=7 is refused by the part");
    }

    @Test
    void whatTheControllerRefusesIsUndone() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");

        rig.answerAnew(new ApiError(Errors.POLICY_VIOLATION, "not on Fridays"));

        assertThat(outcome.join().error().error()).isEqualTo(Errors.POLICY_VIOLATION);
        assertThat(threads.calls).endsWith("undo");
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(8);
    }

    @Test
    void aDryRunIsTriedUndoneAndOnlyLookedAtByTheController() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome =
                rig.propose(new Proposal("alice", "admin", Scope.NODE, Map.of("num.io.threads", "9"), true));
        assertThat(threads.calls).containsExactly("prepare {num.io.threads=8→9}", "undo");

        rig.answerAnew(ApiError.NONE);

        assertThat(outcome.join().error()).isEqualTo(ApiError.NONE);
        assertThat(outcome.join().number()).isEqualTo(-1);
        assertThat(rig.journal.entries()).isEmpty();
    }

    @Test
    void aStoreWithoutAnAnswerIsKeptUntilTheLogTells() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");

        rig.answerAnew(TIMED_OUT);

        assertThat(outcome.join().error().error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
        assertThat(threads.calls).doesNotContain("undo");
        assertThat(rig.journal.entries().get(0).result()).isEqualTo("unknown: no answer");

        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "9")));

        assertThat(threads.calls).containsExactly("prepare {num.io.threads=8→9}", "commit");
        assertThat(rig.journal.entries()).hasSize(1);
        assertThat(rig.journal.entries().get(0).result()).isEqualTo("applied");
    }

    @Test
    void whatStaysUnknownIsGivenUpInTheEnd() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");
        rig.answer.completeExceptionally(new IllegalStateException("connection lost"));
        assertThat(outcome.join().error().message()).contains("connection lost");

        rig.passes(300_000);
        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "9")));

        assertThat(threads.calls)
                .containsExactly("prepare {num.io.threads=8→9}", "undo", "replay {num.io.threads=8→9}", "commit");
        assertThat(rig.journal.entries()).extracting(JournalEntry::door).containsExactly("log", "admin");
    }

    @Test
    void aStoreThatNeverAnswersHasAnUnknownOutcome() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");

        rig.passes(90_000);

        assertThat(outcome.join().error().error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void aChangeThatIsStoredButNotReadBackIsToldToBeUnknown() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, "num.io.threads=9");
        rig.answerAnew(ApiError.NONE);

        rig.passes(30_000);

        assertThat(outcome.join().error().message()).contains("stored, but not read back");
        assertThat(threads.calls).doesNotContain("undo");
    }

    @Test
    void theNextChangeWaitsForTheOneBefore() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> first = rig.propose(Scope.NODE, "num.io.threads=9");
        CompletableFuture<Outcome> second = rig.propose(Scope.NODE, "num.io.threads=10");
        assertThat(threads.calls).containsExactly("prepare {num.io.threads=8→9}");

        rig.answerAnew(ApiError.NONE);
        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "9")));
        assertThat(first).isDone();
        assertThat(threads.calls).endsWith("commit", "prepare {num.io.threads=9→10}");
        rig.answerAnew(ApiError.NONE);
        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "10")));

        assertThat(second.join().number()).isEqualTo(2);
    }

    @Test
    void anotherDoorsChangeInBetweenIsAppliedAndOursTriedAgain() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> ours = rig.propose(Scope.NODE, "num.io.threads=9");

        rig.seen(rig.stored().with(Scope.CLUSTER, Map.of("num.network.threads", "4")));

        assertThat(threads.calls)
                .containsExactly(
                        "prepare {num.io.threads=8→9}",
                        "undo",
                        "replay {num.network.threads=3→4}",
                        "commit",
                        "prepare {num.io.threads=8→9}");
        rig.answerAnew(ApiError.NONE);
        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "9")));
        assertThat(ours.join().error()).isEqualTo(ApiError.NONE);
        assertThat(rig.journal.entries())
                .extracting(JournalEntry::door, JournalEntry::scope, JournalEntry::result)
                .containsExactly(tuple("admin", Scope.NODE, "applied"), tuple("log", Scope.CLUSTER, "applied"));
    }

    @Test
    void aChangeThatMakesNoDifferenceNeedsTheAnswerNotTheLog() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");
        CompletableFuture<Outcome> same = rig.propose(Scope.NODE, "num.io.threads=9");

        rig.seen(rig.stored().with(Scope.CLUSTER, Map.of("num.network.threads", "4")));
        assertThat(same).isNotDone();
        rig.answerAnew(ApiError.NONE);

        assertThat(same.join().error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void whatCannotBeSwitchedOnAfterAllIsTakenOutOfTheLog() {
        LiveRig rig = LiveRig.running(home, threads, limits);
        rig.change(Scope.NODE, "num.io.threads=8");
        threads.commitFault = "registration refused";

        Outcome outcome = rig.change(Scope.NODE, "num.io.threads=9", "max.connections=7");

        assertThat(outcome.error())
                .isEqualTo(new ApiError(
                        Errors.INVALID_REQUEST, "the change could not be switched on: registration refused"));
        assertThat(rig.ownStores).containsExactly(LiveRig.map("num.io.threads=8", "-max.connections"));
        assertThat(rig.values.notApplied()).containsEntry("num.io.threads", "registration refused");
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(8);

        rig.seen(rig.stored().with(Scope.NODE, LiveRig.map("num.io.threads=8", "-max.connections")));

        assertThat(rig.values.notApplied()).isEmpty();
        assertThat(limits.has).containsEntry("max.connections", String.valueOf(Integer.MAX_VALUE));
    }

    @Test
    void figuresOfWhatFollowsAreAddedToTheJournal() {
        LiveRig rig = LiveRig.running(home, threads);
        threads.figures = new CompletableFuture<>();

        Outcome outcome = rig.change(Scope.NODE, "num.io.threads=9");
        assertThat(outcome.after()).isNotDone();
        threads.figures.complete("drained=12 closed=0");

        assertThat(outcome.after().join()).isEqualTo("drained=12 closed=0");
        assertThat(rig.journal.entries().get(0).result()).isEqualTo("applied, drained=12 closed=0");
    }

    @Test
    void nothingIsChangedBeforeTheLogWasRead() {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home));
        rig.reconfiguration.add(threads);

        assertThat(rig.propose(Scope.NODE, "num.io.threads=9").join().error().error())
                .isEqualTo(Errors.BROKER_NOT_AVAILABLE);
        assertThat(threads.calls).isEmpty();
    }

    @Test
    void whatTheNodeItselfStoresComesBackByTheControllersDoorAndIsNotTriedAgain() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");
        CompletableFuture<Outcome> back = rig.takeBack(1);
        CompletableFuture<ApiError> ownAnswer = rig.answer;
        rig.answer = new CompletableFuture<>();

        CompletableFuture<Outcome> comingBack = rig.propose(Scope.NODE, "-num.io.threads");
        rig.answerAnew(ApiError.NONE);
        assertThat(comingBack.join().error()).isEqualTo(ApiError.NONE);
        ownAnswer.complete(ApiError.NONE);
        rig.seen(rig.stored().with(Scope.NODE, LiveRig.map("-num.io.threads")));

        assertThat(back.join().error()).isEqualTo(ApiError.NONE);
        assertThat(rig.journal.entries()).hasSize(2);
    }

    @Test
    void aStopEndsWhatIsOnItsWay() {
        LiveRig rig = LiveRig.running(home, threads);
        CompletableFuture<Outcome> first = rig.propose(Scope.NODE, "num.io.threads=9");
        CompletableFuture<Outcome> second = rig.propose(Scope.NODE, "num.io.threads=10");

        rig.reconfiguration.close();

        assertThat(List.of(first.join().error().message(), second.join().error().message()))
                .containsOnly("the node stops");
        assertThat(threads.calls).endsWith("undo");
    }
}
