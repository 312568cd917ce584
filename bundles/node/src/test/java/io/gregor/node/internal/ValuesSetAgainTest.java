package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To set the value that is there already has what it leads to read again, and nothing else. */
class ValuesSetAgainTest {
    private static final String STORE = "listener.name.plaintext.ssl.keystore.location";
    private static final String SET = STORE + "=/a";

    @TempDir
    Path home;

    private final FakePart files = new FakePart(STORE, "num.io.threads").reading(STORE);
    private final FakePart others = new FakePart(STORE, "max.connections");
    private LiveRig rig;

    @BeforeEach
    void storedOnce() {
        rig = new LiveRig(home, NodeFile.combined(home));
        rig.reconfiguration.add(files);
        rig.reconfiguration.add(others);
        rig.seen(new StoredValues(Map.of(), Map.of(STORE, "/a", "num.io.threads", "9")));
        files.calls.clear();
        others.calls.clear();
    }

    @Test
    void isAChangeForThePartThatReadsIt() {
        Outcome outcome = setAgain();

        assertThat(outcome.error()).isEqualTo(ApiError.NONE);
        assertThat(files.calls).containsExactly("prepare {" + STORE + "=/a→/a}", "commit");
        assertThat(others.calls).isEmpty();
        assertThat(rig.journal.entries().get(0).result()).isEqualTo("applied");
    }

    @Test
    void isReadOnceWhetherTheLogIsFasterThanTheAnswerOrNot() {
        setAgain();
        rig.seenAgain();
        CompletableFuture<Outcome> second = rig.propose(Scope.NODE, SET);
        rig.seenAgain();
        rig.answerAnew(ApiError.NONE);

        assertThat(second.join().error()).isEqualTo(ApiError.NONE);
        assertThat(files.calls).filteredOn("commit"::equals).hasSize(2);
    }

    @Test
    void whatIsBrokenByNowIsRefusedAndNotStored() {
        files.refusing(STORE, "/a");

        Outcome outcome = rig.propose(Scope.NODE, SET).join();

        assertThat(outcome.error()).isEqualTo(new ApiError(Errors.INVALID_REQUEST, SET + " is refused by the part"));
        assertThat(files.calls).doesNotContain("commit");
        assertThat(rig.answer.getNumberOfDependents()).isZero();
    }

    @Test
    void whatAnotherNodeStoresAgainIsReadAgainToo() {
        rig.seenAgain();

        assertThat(files.calls).containsExactly("replay {" + STORE + "=/a→/a}", "commit");
        assertThat(others.calls).isEmpty();
        assertThat(rig.journal.entries()).isEmpty();
    }

    @Test
    void whatAnotherNodeStoresAgainAndIsBrokenLeavesTheFormer() {
        files.refusing(STORE, "/a");

        rig.seenAgain();

        assertThat(files.calls).doesNotContain("commit");
        assertThat(rig.values.notApplied()).doesNotContainKey(STORE);
        assertThat(rig.values.current().values().originals()).containsEntry(STORE, "/a");
    }

    private Outcome setAgain() {
        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, SET);
        rig.answerAnew(ApiError.NONE);
        return outcome.join();
    }
}
