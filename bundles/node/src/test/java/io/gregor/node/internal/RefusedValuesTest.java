package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each refusal names key, value, origin and what would be right. */
class RefusedValuesTest {
    @TempDir
    Path home;

    static Stream<Arguments> combined() {
        return Stream.of(
                refusal("num.io.threads=abc", "num.io.threads=abc must be a whole number, [1,...] (--override)"),
                refusal("num.io.threads=0", "num.io.threads=0 must be a whole number, [1,...] (--override)"),
                refusal(
                        "auto.create.topics.enable=yes",
                        "auto.create.topics.enable=yes must be true or false (--override)"),
                refusal(
                        "principal.builder.class=com.example.Mine",
                        "principal.builder.class=com.example.Mine must be the name of a class of Kafka's libraries or of a bundle in"
                                + " deploy/; "),
                refusal("process.roles=leader", "process.roles=leader must be a list with commas, "),
                refusal("broker.id=2", "broker.id=2 must be the same as node.id=1"),
                refusal("log.roll.ms=0", "log.roll.ms=0 must be "),
                refusal("log.retention.ms=0", "log.retention.ms=0 must be -1 (unlimited) or >= 1"),
                refusal("log.cleaner.threads=0", "log.cleaner.threads=0 must be >= 1"),
                refusal(
                        "log.cleaner.dedupe.buffer.size=1048576",
                        "log.cleaner.dedupe.buffer.size=1048576 must be more than 1 MiB (1048576) for each of"
                                + " log.cleaner.threads=1"),
                refusal("cordoned.log.dirs=other", "cordoned.log.dirs=other must only have entries of log.dirs, not ["),
                refusal("cordoned.log.dirs=*,data", "cordoned.log.dirs=*,data must be * alone"),
                refusal(
                        "replica.socket.timeout.ms=100",
                        "replica.socket.timeout.ms=100 must be >= replica.fetch.wait.max.ms=500"),
                refusal(
                        "replica.lag.time.max.ms=100",
                        "replica.fetch.wait.max.ms=500 must be <= replica.lag.time.max.ms=100 to prevent frequent changes"
                                + " in ISR (default)"),
                refusal(
                        "queued.max.request.bytes=10",
                        "queued.max.request.bytes=10 must be >= socket.request.max.bytes=104857600"),
                refusal("max.connections.per.ip=0", "max.connections.per.ip=0 must be >= 1 unless"),
                refusal(
                        "max.connections.per.ip.overrides=a b:3",
                        "max.connections.per.ip.overrides=a b:3 must be host:number"),
                refusal(
                        "connection.failed.authentication.delay.ms=600000",
                        "connection.failed.authentication.delay.ms=600000 must be less than connections.max.idle.ms=600000"),
                refusal(
                        "group.coordinator.rebalance.protocols=consumer",
                        "group.coordinator.rebalance.protocols=consumer must have classic among them"),
                refusal(
                        "authorizer.class.name=a.B",
                        "authorizer.class.name=a.B must name a class of Kafka's libraries or of a bundle in deploy/, a.B"
                                + " is nowhere; "),
                refusal(
                        "metric.reporters=org.apache.kafka.common.metrics.JmxReporter,a.B",
                        "metric.reporters=org.apache.kafka.common.metrics.JmxReporter,a.B must name a class of"),
                refusal(
                        "create.topic.policy.class.name=java.util.ArrayList",
                        "create.topic.policy.class.name=java.util.ArrayList must name a class that implements"
                                + " org.apache.kafka.server.policy.CreateTopicPolicy"),
                refusal(
                        "remote.log.storage.system.enable=true",
                        "remote.log.storage.manager.class.name= must name a class that implements"
                                + " org.apache.kafka.server.log.remote.storage.RemoteStorageManager"),
                refusal(
                        "controller.quorum.voters=2@127.0.0.1:9093",
                        "controller.quorum.voters=2@127.0.0.1:9093 must have node.id=1 among the voters"),
                refusal(
                        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9092",
                        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9092 must be NAME://host:port,… with a"
                                + " port each"),
                refusal("listeners=nonsense", "listeners=nonsense must be NAME://host:port,… "),
                refusal(
                        "controller.listener.names=controller",
                        "controller.listener.names=controller must have at least one name (in capitals) of a listener"),
                refusal(
                        "controller.listener.names=CONTROLLER,OTHER",
                        "controller.listener.names=CONTROLLER,OTHER must only have names (in capitals) of listeners in"),
                refusal(
                        "inter.broker.listener.name=CONTROLLER",
                        "inter.broker.listener.name=CONTROLLER must be one of the advertised listeners [PLAINTEXT]"),
                refusal("inter.broker.listener.name=ELSE", "inter.broker.listener.name=ELSE cannot be used: "),
                refusal(
                        "advertised.listeners=SSL://a:1,PLAINTEXT://b:2",
                        "advertised.listeners=SSL://a:1,PLAINTEXT://b:2 must be NAME://host:port,… with a port each and names"
                                + " of listener.security.protocol.map: No security protocol defined for listener SSL"),
                refusal(
                        "advertised.listeners=PLAINTEXT://0.0.0.0:9092",
                        "advertised.listeners=PLAINTEXT://0.0.0.0:9092 must name an address that others can reach"),
                refusal(
                        "listeners=PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093",
                        "listeners=PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093 listens on 0.0.0.0, which nobody"
                                + " can be told: set advertised.listeners"),
                refusal(
                        "early.start.listeners=NONE",
                        "early.start.listeners=NONE must only have listeners of listeners"));
    }

    @ParameterizedTest
    @MethodSource("combined")
    void refusesForACombinedNode(String assignment, String message) {
        assertThatThrownBy(() -> NodeFile.combined(home).with(assignment).read())
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith(message);
    }

    static Stream<Arguments> brokerOnly() {
        return Stream.of(
                refusal(
                        "controller.quorum.voters=2@127.0.0.1:9093",
                        "controller.quorum.voters=2@127.0.0.1:9093 must not have node.id=2 among the voters"),
                refusal(
                        "controller.quorum.auto.join.enable=true",
                        "controller.quorum.auto.join.enable=true must be false unless"),
                refusal(
                        "controller.listener.names=PLAINTEXT",
                        "controller.listener.names=PLAINTEXT must not have a name of a listener in listeners"),
                refusal(
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT must say the protocol of the controllers'"));
    }

    @ParameterizedTest
    @MethodSource("brokerOnly")
    void refusesForABroker(String assignment, String message) {
        assertThatThrownBy(() -> NodeFile.brokerOnly(home).with(assignment).read())
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesAControllerWithBrokerListeners() {
        assertThatThrownBy(() ->
                        NodeFile.combined(home).with("process.roles=controller").read())
                .hasMessageContaining("must only have listeners of controller.listener.names=[CONTROLLER]");
    }

    @Test
    void saysWhatIsMissing() {
        NodeFile file = NodeFile.of(home, "process.roles=broker", "controller.listener.names=CONTROLLER");

        assertThatThrownBy(file::read)
                .hasMessage("node.id is not set: set it to a number that no other node of the cluster has ("
                        + file.file() + ")");
    }

    @Test
    void namesTheFileForAValueOfTheFile() {
        NodeFile file = NodeFile.of(
                home, "process.roles=broker", "node.id=1", "controller.listener.names=C", "num.partitions=many");

        assertThatThrownBy(file::read)
                .hasMessage("num.partitions=many must be a whole number, [1,...] (" + file.file() + ")");
    }

    @Test
    void refusesCompactionLagsThatExcludeEachOther() {
        assertThatThrownBy(() -> NodeFile.combined(home)
                        .with("log.cleaner.min.compaction.lag.ms=9", "log.cleaner.max.compaction.lag.ms=8")
                        .read())
                .hasMessage("log.cleaner.max.compaction.lag.ms=8 must be >= log.cleaner.min.compaction.lag.ms=9"
                        + " (--override)");
    }

    @Test
    void takesAnIpv4AndAnIpv6ListenerOnOnePort() {
        assertThatCode(() -> NodeFile.combined(home)
                        .with(
                                "listeners=PLAINTEXT://127.0.0.1:9092,SIX://[::1]:9092,CONTROLLER://127.0.0.1:9093",
                                "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SIX:PLAINTEXT")
                        .read())
                .doesNotThrowAnyException();
    }

    private static Arguments refusal(String assignment, String message) {
        return Arguments.of(assignment, message);
    }
}
