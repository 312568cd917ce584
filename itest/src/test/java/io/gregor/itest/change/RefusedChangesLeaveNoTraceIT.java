package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be applied is refused with its reason, and nothing of it is in the metadata log. */
class RefusedChangesLeaveNoTraceIT {
    private static final String MAP =
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,EXTRA:PLAINTEXT";

    @TempDir
    private static Path home;

    private static ChangingNode node;
    private static ServerSocket taken;

    @BeforeAll
    static void start() throws Exception {
        node = ChangingNode.start(home);
        taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    @AfterAll
    static void stop() throws IOException {
        taken.close();
        node.close();
    }

    static Stream<Refused> refused() {
        int controller = node.process().controllerPort();
        String own = "PLAINTEXT://127.0.0.1:" + node.port();
        return Stream.of(
                new Refused(
                        "port in use",
                        String.valueOf(taken.getLocalPort()),
                        MAP,
                        node.listeners("EXTRA://127.0.0.1:" + taken.getLocalPort())),
                new Refused(
                        "more than double",
                        "value should not be greater than double the current value 3",
                        "num.network.threads=7"),
                new Refused(
                        "more than double, one listener",
                        "value should not be greater than double the current value 3",
                        "listener.name.plaintext.num.network.threads=7"),
                new Refused("less than half", "value should be at least half the current value 8", "num.io.threads=3"),
                new Refused("none", "num.io.threads", "num.io.threads=0"),
                new Refused(
                        "requests that nobody could undo it with",
                        "must be at least 1024",
                        "socket.request.max.bytes=1023"),
                new Refused("no cleaners", "log.cleaner.threads=0 must be >= 1", "log.cleaner.threads=0"),
                new Refused("no number", "num.io.threads", "num.io.threads=many"),
                new Refused("nearly a key", "num.io.threads", "num.io.thread=4"),
                new Refused("no key of Gregor", "gregor.no.such.key", "gregor.no.such.key=1"),
                new Refused("read-only", "Cannot update these configs dynamically: [log.dirs]", "log.dirs=/elsewhere"),
                new Refused(
                        "a listener's key without the listener",
                        "listener.name.nosuch.num.network.threads",
                        "listener.name.nosuch.num.network.threads=4"),
                new Refused(
                        "advertised without a listener",
                        "NOSUCH",
                        "advertised.listeners=" + own + ",NOSUCH://127.0.0.1:9"),
                new Refused("listener without a protocol", "NOMAP", node.listeners("NOMAP://127.0.0.1:" + freePort())),
                new Refused(
                        "the brokers' own listener moved",
                        "PLAINTEXT",
                        "listeners=PLAINTEXT://127.0.0.1:" + freePort() + ",CONTROLLER://127.0.0.1:" + controller),
                new Refused(
                        "the controllers' listener moved",
                        "CONTROLLER",
                        "listeners=" + own + ",CONTROLLER://127.0.0.1:" + freePort()),
                new Refused(
                        "a good one with a bad one",
                        "num.network.threads",
                        "num.io.threads=16",
                        "num.network.threads=70"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void isRefusedWithItsReason(Refused change) throws Exception {
        State before = State.now();

        assertThatThrownBy(() -> node.set(change.keyValues))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(change.reason);
        assertThatThrownBy(() -> node.validate(change.keyValues))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(change.reason);

        assertThat(State.now()).isEqualTo(before);
    }

    @Test
    void keyOfOneNodeIsRefusedForAll() throws Exception {
        State before = State.now();

        assertThatThrownBy(() -> node.setForAll(node.listeners("EXTRA://127.0.0.1:" + freePort()), MAP))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("listeners");

        assertThat(State.now()).isEqualTo(before);
    }

    @Test
    void changeOfAnotherNodeIsRefused() throws Exception {
        State before = State.now();
        ConfigResource other = new ConfigResource(ConfigResource.Type.BROKER, "7");
        Map<ConfigResource, Collection<AlterConfigOp>> changes =
                Map.of(other, ChangingNode.ops(OpType.SET, "num.io.threads=9"));

        // Kafka's Admin client would look for that node first.
        try (RawClient client = RawClient.connect(node.port())) {
            AbstractResponse answer =
                    client.call(new IncrementalAlterConfigsRequest.Builder(changes, false).build((short) 1), 1);
            assertThat(answer.errorCounts()).containsOnlyKeys(Errors.INVALID_REQUEST);
        }

        assertThat(State.now()).isEqualTo(before);
    }

    @Test
    void dryRunTriesEverythingAndKeepsNothing() throws Exception {
        State before = State.now();
        int port = freePort();

        node.validate(MAP, node.listeners("EXTRA://127.0.0.1:" + port), "num.io.threads=16");

        assertThat(State.now()).isEqualTo(before);
        assertThat(RawClient.answers(port)).isFalse();
        new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1")).close();
    }

    @Test
    void shellTellsTheSameReasonAndItsDryRunKeepsNothing() throws Exception {
        State before = State.now();

        assertRefused("processors:set 7", "value should not be greater than double the current value 3");
        assertRefused("handlers:threads 3 --dry-run", "value should be at least half the current value 8");
        assertRefused("listener:add EXTRA 127.0.0.1:" + taken.getLocalPort() + " --protocol PLAINTEXT", "in use");
        assertRefused("config:set log.dirs=/elsewhere", "Cannot update these configs dynamically: [log.dirs]");
        int port = freePort();
        assertThat(node.shell("listener:add EXTRA 127.0.0.1:" + port + " --protocol PLAINTEXT --dry-run"))
                .contains("nothing was changed");

        assertThat(State.now()).isEqualTo(before);
        assertThat(RawClient.answers(port)).isFalse();
    }

    private static void assertRefused(String command, String reason) {
        assertThat(node.process().shell(command)).satisfies(finished -> {
            assertThat(finished.status()).isEqualTo(1);
            assertThat(finished.output()).contains(reason);
        });
    }

    private static int freePort() {
        return GregorProcess.freePort();
    }

    /** What is to be refused, and a part of the reason. */
    private record Refused(String name, String reason, String... keyValues) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** All that a refused change must not alter. */
    private record State(long metadataEnd, Map<String, String> stored, List<String> threads, String listeners) {
        static State now() throws Exception {
            return new State(
                    node.metadataEnd(),
                    node.stored(),
                    node.jmx().threads("data-plane-kafka-"),
                    node.shell("listener:list").replaceAll(" \\d+\\R", "\n"));
        }
    }
}
