package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which value counts, and what becomes of stored ones that cannot. */
class CountedValuesTest {
    @TempDir
    Path home;

    private final FakePart threads = new FakePart("num.io.threads", "num.network.threads");

    @Test
    void theNodesValueCountsBeforeTheClustersAndTheClustersBeforeTheFiles() {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home).with("num.io.threads=5", "num.network.threads=4"));
        rig.reconfiguration.add(threads);

        rig.seen(new StoredValues(
                Map.of("num.io.threads", "6", "num.network.threads", "7"), Map.of("num.io.threads", "8")));

        assertThat(threads.has).containsEntry("num.io.threads", "8").containsEntry("num.network.threads", "7");
        rig.change(Scope.NODE, "-num.io.threads");
        assertThat(threads.has).containsEntry("num.io.threads", "6");
        rig.change(Scope.CLUSTER, "-num.io.threads");
        assertThat(threads.has).containsEntry("num.io.threads", "5");
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(5);
    }

    @Test
    void aHiddenValueOfTheClusterIsStoredAndTouchesNothing() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");
        threads.calls.clear();

        Outcome outcome = rig.change(Scope.CLUSTER, "num.io.threads=10");

        assertThat(outcome.error()).isEqualTo(ApiError.NONE);
        assertThat(threads.calls).isEmpty();
        assertThat(rig.values.stored().cluster()).containsEntry("num.io.threads", "10");
    }

    @Test
    void aRefusedStoreOfAHiddenValueIsForgotten() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");
        rig.propose(Scope.CLUSTER, "num.io.threads=10");
        rig.answerAnew(ApiError.fromThrowable(new IllegalStateException("no")));

        rig.change(Scope.NODE, "-num.io.threads");

        assertThat(threads.has).containsEntry("num.io.threads", "8");
    }

    @Test
    void aDynamicValueWinsOverAnotherSpellingInTheFile() {
        FakePart logs = new FakePart("log.retention.ms");
        LiveRig rig = new LiveRig(home, NodeFile.combined(home).with("log.retention.ms=1000"));
        rig.reconfiguration.add(logs);

        rig.seen(new StoredValues(Map.of("log.retention.ms", "5000"), Map.of()));

        assertThat(rig.values.current().topicDefaults()).containsEntry("retention.ms", 5000L);
        Settings layered = NodeFile.combined(home)
                .with("log.retention.ms=1000")
                .settings()
                .under(Map.of("log.retention.hours", "2"), "dynamic broker config");
        assertThat(layered.isSet("log.retention.ms")).isFalse();
        assertThat(layered.origin("log.retention.hours")).isEqualTo("dynamic broker config");
    }

    @Test
    void aPartThatComesLaterIsToldWhatDiffersFromTheStart() {
        LiveRig rig = LiveRig.running(home);
        rig.seen(new StoredValues(Map.of(), Map.of("num.io.threads", "9")));
        assertThat(rig.values.notApplied()).containsOnlyKeys("num.io.threads");

        rig.reconfiguration.add(threads);

        assertThat(threads.calls).containsExactly("replay {num.io.threads=8→9}", "commit");
        assertThat(rig.values.notApplied()).isEmpty();
    }

    @Test
    void anUpdatedPartBeginsAnewWithTheStart() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");

        rig.reconfiguration.remove(threads);
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(9);
        FakePart update = new FakePart("num.io.threads");
        rig.reconfiguration.add(update);

        assertThat(update.calls).containsExactly("replay {num.io.threads=8→9}", "commit");
    }

    @Test
    void aValueThatCannotBeReadDoesNotKeepTheOthersFromCounting() {
        LiveRig rig = LiveRig.running(home, threads);

        rig.seen(new StoredValues(
                Map.of("num.network.threads", "4"), Map.of("num.io.threads", "many", "my.plugin.key", "x")));

        assertThat(threads.has).containsExactly(Map.entry("num.network.threads", "4"));
        assertThat(rig.values.notApplied())
                .containsOnlyKeys("num.io.threads", "my.plugin.key")
                .containsEntry(
                        "num.io.threads",
                        "num.io.threads=many must be a whole number, [1,...] (dynamic broker config)");
    }

    @Test
    void valuesThatNeedEachOtherCountTogether() {
        FakePart listeners = new FakePart("listeners", "listener.security.protocol.map");
        LiveRig rig = LiveRig.running(home, threads, listeners);

        rig.seen(new StoredValues(
                Map.of("num.io.threads", "many"),
                Map.of(
                        "listeners",
                        "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093,NEW://127.0.0.1:9094",
                        "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,NEW:PLAINTEXT")));

        assertThat(rig.values.notApplied()).containsOnlyKeys("num.io.threads");
        assertThat(listeners.has).containsOnlyKeys("listeners", "listener.security.protocol.map");
    }

    @Test
    void whatAPartRefusesAtReplayStaysAsItWasAndIsTriedAgain() {
        LiveRig rig = LiveRig.running(home, threads);
        rig.change(Scope.NODE, "num.io.threads=9");
        threads.refusing("num.io.threads", 64);

        rig.seen(rig.stored().with(Scope.NODE, Map.of("num.io.threads", "64", "num.network.threads", "5")));

        assertThat(threads.has).containsEntry("num.io.threads", "9").containsEntry("num.network.threads", "5");
        assertThat(rig.values.current().values().numIoThreads()).isEqualTo(9);
        assertThat(rig.values.notApplied()).containsEntry("num.io.threads", "num.io.threads=64 is refused by the part");
        assertThat(rig.journal.entries().get(0).result()).startsWith("not applied: {num.io.threads=");

        threads.refused.clear();
        rig.change(Scope.NODE, "num.network.threads=6");

        assertThat(threads.has).containsEntry("num.io.threads", "64");
        assertThat(rig.values.notApplied()).isEmpty();
    }

    @Test
    void aStoredKeyOfKafkaWithoutAnOwnerDoesNotCount() {
        LiveRig rig = LiveRig.running(home, threads);

        rig.seen(new StoredValues(Map.of("num.partitions", "9"), Map.of()));

        assertThat(rig.values.current().values().getInt("num.partitions")).isEqualTo(1);
        assertThat(rig.values.notApplied().get("num.partitions")).startsWith("no owner");
        assertThat(rig.change(Scope.CLUSTER, "-num.partitions").error()).isEqualTo(ApiError.NONE);
        assertThat(rig.values.notApplied()).isEmpty();
    }

    @Test
    void aKeyOfAListenerThatIsGoneIsShown() {
        FakePart limits = new FakePart("listener.name.gone.max.connections");
        LiveRig rig = LiveRig.running(home, limits);

        rig.seen(new StoredValues(Map.of(), Map.of("listener.name.gone.max.connections", "9")));

        assertThat(rig.values.notApplied())
                .containsEntry("listener.name.gone.max.connections", "no owner: there is no listener of this name");
    }

    @Test
    void aKeyOfTwoPartsIsToldToBoth() {
        FakePart other = new FakePart("num.network.threads");
        LiveRig rig = LiveRig.running(home, threads, other);

        rig.change(Scope.CLUSTER, "num.network.threads=4");

        assertThat(threads.has).containsEntry("num.network.threads", "4");
        assertThat(other.has).containsEntry("num.network.threads", "4");
    }
}
