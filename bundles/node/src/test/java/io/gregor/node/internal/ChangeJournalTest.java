package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written down about changes, and how they are taken back. */
class ChangeJournalTest {
    @TempDir
    Path home;

    private final FakePart part = new FakePart("num.io.threads", "num.network.threads", "ssl.key.password");

    @Test
    void numbersGoOnAfterARestartAndALaterLineReplacesAnEarlierOne() {
        ChangeJournal first = ChangeJournal.open(home);
        first.put(line(1, "applied"));
        first.put(line(2, "unknown: no answer"));
        first.put(line(2, "applied"));

        ChangeJournal second = ChangeJournal.open(home);

        assertThat(second.nextNumber()).isEqualTo(3);
        assertThat(second.entries()).isEqualTo(first.entries());
        assertThat(second.entries()).extracting(JournalEntry::result).containsExactly("applied", "applied");
    }

    @Test
    void aLineThatWasNotFinishedIsLeftOut() throws IOException {
        ChangeJournal.open(home).put(line(1, "applied"));
        Files.writeString(home.resolve("changes.jsonl"), "{\"number\":2,\"time\":\"20", StandardOpenOption.APPEND);

        ChangeJournal.open(home).put(line(2, "applied"));

        assertThat(ChangeJournal.open(home).entries())
                .extracting(JournalEntry::number)
                .containsExactly(2L, 1L);
        assertThat(Files.readAllLines(home.resolve("changes.jsonl"))).hasSize(2);
    }

    @Test
    void theLastThousandAreKept() {
        ChangeJournal journal = ChangeJournal.open(home);
        for (int number = 1; number <= 1003; number++) {
            journal.put(line(number, "applied"));
        }

        assertThat(journal.entries()).hasSize(1000).last().matches(entry -> entry.number() == 4);
        assertThat(ChangeJournal.open(home).entries()).hasSize(1000);
    }

    @Test
    void takesTheLastChangeBackAndThenTheOneBefore() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "num.io.threads=9");
        rig.change(Scope.NODE, "num.io.threads=10", "num.network.threads=4");

        assertThat(takeBack(rig, -1, "num.io.threads=9", "-num.network.threads").number())
                .isEqualTo(3);
        assertThat(part.has).containsEntry("num.io.threads", "9").containsEntry("num.network.threads", "3");
        assertThat(takeBack(rig, -1, "-num.io.threads").number()).isEqualTo(4);

        assertThat(part.has).containsEntry("num.io.threads", "8");
        assertThat(rig.journal.entries())
                .extracting(JournalEntry::result)
                .containsExactly(
                        "applied; takes back 1",
                        "applied; takes back 2",
                        "applied; taken back by 3",
                        "applied; taken back by 4");
        assertThat(rig.takeBack(-1).join().error())
                .isEqualTo(new ApiError(Errors.INVALID_REQUEST, "there is no change of settings to take back"));
    }

    @Test
    void aChangeThatWasTakenBackCanBeMadeAgain() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "num.io.threads=9");
        takeBack(rig, 1, "-num.io.threads");

        takeBack(rig, 2, "num.io.threads=9");

        assertThat(part.has).containsEntry("num.io.threads", "9");
    }

    @Test
    void saysWhyAChangeCannotBeTakenBack() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "num.io.threads=9");
        rig.change(Scope.NODE, "num.io.threads=10");
        rig.propose(Scope.NODE, "node.id=7");

        assertThat(refusal(rig, 1))
                .isEqualTo(
                        "change 1 cannot be taken back: num.io.threads was changed since, from 9 to 10, set it yourself");
        assertThat(refusal(rig, 3))
                .isEqualTo("change 3 does not count: refused: Cannot update these configs dynamically: [node.id]");
        assertThat(refusal(rig, 9)).isEqualTo("change 9 is not in the journal: the last one is 3");
        takeBack(rig, 2, "num.io.threads=9");
        assertThat(refusal(rig, 2)).isEqualTo("change 2 is taken back already, by change 4");
    }

    @Test
    void secretsAreNotTakenBack() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "ssl.key.password=x");

        assertThat(refusal(rig, -1))
                .isEqualTo("change 1 has a secret, which the journal does not keep: set ssl.key.password yourself");
    }

    @Test
    void aChangeOfSomethingElseStandsBesideThoseOfSettingsAlsoAfterARestart() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "num.io.threads=9");
        rig.reports.ofOthers("jane", "shell", Map.of(), Map.of("plugin io.example.echo", "1.0.0"), "applied");

        List<JournalEntry> read = ChangeJournal.open(home).entries();

        assertThat(read).isEqualTo(rig.journal.entries());
        assertThat(read).extracting(JournalEntry::number).containsExactly(2L, 1L);
        assertThat(read).extracting(JournalEntry::isOfSettings).containsExactly(false, true);
        assertThat(read.get(0).after()).isEqualTo(Map.of("plugin io.example.echo", "1.0.0"));
    }

    @Test
    void aChangeOfSomethingElseIsNotTakenBackAndTheLastOneIsTheLastOfSettings() {
        LiveRig rig = LiveRig.running(home, part);
        rig.change(Scope.NODE, "num.io.threads=9");
        rig.reports.ofOthers("", "deploy", Map.of("plugin a", "1"), Map.of("plugin a", "2"), "applied");

        assertThat(refusal(rig, 2))
                .isEqualTo(
                        "change 2 is not one of settings, it cannot be taken back from here: plugin:remove takes a plugin"
                                + " out, its former jar dropped into deploy/ brings the former version back");
        assertThat(takeBack(rig, -1, "-num.io.threads").number()).isEqualTo(3);
        assertThat(part.has).containsEntry("num.io.threads", "8");
    }

    private static Outcome takeBack(LiveRig rig, long number, String... stored) {
        CompletableFuture<Outcome> outcome = rig.takeBack(number);
        rig.answerAnew(ApiError.NONE);
        rig.seen(rig.stored().with(Scope.NODE, LiveRig.map(stored)));
        assertThat(outcome.join().error()).isEqualTo(ApiError.NONE);
        assertThat(rig.ownStores).last().isEqualTo(LiveRig.map(stored));
        return outcome.join();
    }

    private static String refusal(LiveRig rig, long number) {
        return rig.takeBack(number).join().error().message();
    }

    private static JournalLine line(long number, String result) {
        return new JournalLine(
                new JournalEntry(
                        number,
                        number * 1000,
                        "alice \"the\" admin",
                        "shell",
                        Scope.CLUSTER,
                        Map.of("a", "1"),
                        Map.of("a", "2,\n3"),
                        result,
                        true),
                -1);
    }
}
