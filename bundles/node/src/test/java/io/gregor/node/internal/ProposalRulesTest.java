package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.GregorConfigs;
import java.nio.file.Path;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may not be changed, with the words that the client sees. */
class ProposalRulesTest {
    @TempDir
    Path home;

    private final FakePart part = new FakePart(
            "num.io.threads",
            "listeners",
            "advertised.listeners",
            "max.connections",
            "listener.name.plaintext.max.connections",
            "listener.name.plaintext.connections.max.idle.ms");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NODE|num.partitions=3|Cannot update these configs dynamically: [num.partitions]",
                "NODE|node.id=3|Cannot update these configs dynamically: [node.id]",
                "NODE|gregor.handler.swap.timeout.ms=3|Cannot update these configs dynamically: [gregor.handler.swap.timeout.ms]",
                "NODE|ssl.keystore.location=/x|These security configs can be dynamically updated only per-listener using the"
                        + " listener prefix: [ssl.keystore.location]",
                "NODE|num.io.threads=abc|num.io.threads=abc must be a whole number, [1,...] (dynamic broker config)",
                "CLUSTER|num.io.threads=0|num.io.threads=0 must be a whole number, [1,...] (dynamic default config)",
                "CLUSTER|leader.replication.throttled.rate=-5|leader.replication.throttled.rate=-5 must be a whole number, [0,...]"
                        + " (dynamic default config)",
                "CLUSTER|listeners=PLAINTEXT://a:1|Cannot update these configs at default cluster level, broker id must be"
                        + " specified: [listeners]",
                "CLUSTER|advertised.listeners=PLAINTEXT://a:1|Cannot update these configs at default cluster level, broker id"
                        + " must be specified: [advertised.listeners]",
                "CLUSTER|listener.name.plaintext.connections.max.idle.ms=9|Cannot update these configs at default cluster"
                        + " level, broker id must be specified: [listener.name.plaintext.connections.max.idle.ms]",
                "NODE|listener.name.new.max.connections=9|listener.name.new.max.connections=9 names a listener that is not"
                        + " there: this node's listeners are listener.name.controller. listener.name.plaintext. (in lower"
                        + " case), add new to listeners first or in the same change",
                "NODE|listener.name.plaintext.max.connections.per.ip=9|Cannot update these configs dynamically:"
                        + " [listener.name.plaintext.max.connections.per.ip]",
                "NODE|retention.ms=9|retention.ms=9 is a key of topics and has no effect here: the default of all topics is"
                        + " log.retention.ms (dynamic broker config)",
                "NODE|num.io.thread=9|num.io.thread=9 is not a known key: did you mean num.io.threads? (dynamic broker"
                        + " config)",
                "NODE|advertised.listeners=OTHER://a:1|advertised.listeners=OTHER://a:1 must be NAME://host:port,… with a port"
                        + " each and names of listener.security.protocol.map: No security protocol defined for listener OTHER"
                        + " (dynamic broker config)",
            })
    void refuses(Scope scope, String assignment, String message) {
        LiveRig rig = LiveRig.running(home, part);

        ApiError error = rig.propose(scope, assignment).join().error();

        assertThat(error).isEqualTo(new ApiError(Errors.INVALID_REQUEST, message));
        assertThat(part.calls).isEmpty();
    }

    @Test
    void refusesAnUnknownKeyInGregorsNamespace() {
        LiveRig rig = LiveRig.running(home, part);

        ApiError error = rig.propose(Scope.NODE, "gregor.nonsense=9").join().error();

        String message = "gregor.nonsense=9 is not a known key: Gregor's own keys are "
                + String.join(", ", GregorConfigs.names()) + " (dynamic broker config)";
        assertThat(error).isEqualTo(new ApiError(Errors.INVALID_REQUEST, message));
    }

    @ParameterizedTest
    @CsvSource({
        "NODE, my.plugin.key=3",
        "CLUSTER, my.plugin.key=3",
        "CLUSTER, listener.name.plaintext.max.connections=3",
        "NODE, -num.partitions",
        "CLUSTER, -listeners",
        "NODE, -listener.name.gone.max.connections",
    })
    void allows(Scope scope, String assignment) {
        LiveRig rig = LiveRig.running(home, part);

        assertThat(rig.change(scope, assignment).error()).isEqualTo(ApiError.NONE);
    }

    @Test
    void aListenerAndItsSettingsMayComeTogether() {
        FakePart listeners =
                new FakePart("listeners", "listener.security.protocol.map", "listener.name.new.max.connections");
        LiveRig rig = LiveRig.running(home, listeners);

        ApiError error = rig.change(
                        Scope.NODE,
                        "listener.name.new.max.connections=9",
                        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,NEW:PLAINTEXT",
                        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093,NEW://127.0.0.1:9094")
                .error();

        assertThat(error).isEqualTo(ApiError.NONE);
        assertThat(listeners.has).hasSize(3);
    }

    @Test
    void whatOtherNodesMayApplyIsStoredForAllByANodeWithOneRole() {
        LiveRig rig = new LiveRig(home, NodeFile.brokerOnly(home));
        rig.seen(StoredValues.NONE);

        assertThat(rig.change(Scope.CLUSTER, "log.cleaner.threads=2").error()).isEqualTo(ApiError.NONE);
        assertThat(rig.propose(Scope.NODE, "log.cleaner.threads=2")
                        .join()
                        .error()
                        .message())
                .isEqualTo("Cannot update these configs dynamically: [log.cleaner.threads]");
    }

    @Test
    void secretsAreHiddenInRefusalsAndInTheJournal() {
        FakePart secrets = new FakePart("listener.name.plaintext.ssl.keystore.password").refusing("x", "y");
        LiveRig rig = LiveRig.running(home, secrets);

        rig.change(Scope.NODE, "listener.name.plaintext.ssl.keystore.password=open-sesame");
        rig.propose(Scope.NODE, "listener.name.gone.ssl.keystore.password=open-sesame");

        assertThat(rig.journal.entries().toString()).contains("[hidden]").doesNotContain("open-sesame");
        assertThat(rig.stored().node()).containsValue("open-sesame");
    }
}
