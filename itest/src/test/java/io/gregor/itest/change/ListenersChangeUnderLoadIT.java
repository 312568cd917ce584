package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.load.Load;
import io.gregor.itest.load.RealClients;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners come, go and move; those that stay do not notice, and Metadata names the node where it is reached. */
class ListenersChangeUnderLoadIT {
    private static final int BUSY = 64;

    @TempDir
    private static Path home;

    private static ChangingNode node;

    private Load load;
    private int port;

    @BeforeAll
    static void startNode() throws Exception {
        node = ChangingNode.start(home);
    }

    @AfterAll
    static void stopNode() throws Exception {
        node.close();
    }

    @BeforeEach
    void startLoad() throws IOException {
        load = Load.start(node.port(), BUSY, 20);
        port = GregorProcess.freePort();
    }

    @AfterEach
    void backToTheStart() throws Exception {
        load.close();
        node.delete("listeners", "advertised.listeners", "listener.security.protocol.map", "controller.listener.names");
    }

    @Test
    void addedListenerServesAndIsNamedInMetadataUntilItIsRemoved() throws Exception {
        RealClients clients = RealClients.start(node.process());
        load.during("listener added", () -> add("127.0.0.1:" + port));
        assertThat(ChangingNode.advertised(port)).isEqualTo("127.0.0.1:" + port);
        assertThat(ChangingNode.advertised(node.port())).isEqualTo("127.0.0.1:" + node.port());
        node.awaitProcessors("EXTRA", 3);
        try (Load other = Load.start(port, BUSY, 0)) {
            other.during("load on the added listener", () -> {});
            other.finish();
        }

        load.during("listener removed", () -> node.set(node.listeners()));

        assertThatThrownBy(() -> RawClient.connect(port)).isInstanceOf(ConnectException.class);
        node.awaitProcessors("EXTRA", 0);
        assertThat(node.jmx().names("*:listener=EXTRA,*")).isEmpty();
        assertThat(node.jmx().threads("data-plane-kafka-socket-acceptor-EXTRA")).isEmpty();
        load.finish();
        clients.finish();
        clients.close();
    }

    @Test
    void listenerWithAnotherPortIsUpBeforeTheOldOneGoes() throws Exception {
        int other = GregorProcess.freePort();
        add("127.0.0.1:" + port);

        load.during("port changed", () -> node.set(node.listeners("EXTRA://127.0.0.1:" + other)));

        assertThat(ChangingNode.advertised(other)).isEqualTo("127.0.0.1:" + other);
        await().atMost(ChangingNode.SOON).until(() -> !RawClient.answers(port));
        node.awaitProcessors("EXTRA", 3);
        load.finish();
    }

    @Test
    void listenerWithAnotherHostKeepsItsPort() throws Exception {
        add("127.0.0.1:" + port);

        load.during("host changed", () -> node.set(node.listeners("EXTRA://127.0.0.2:" + port)));

        assertThat(ChangingNode.advertised("127.0.0.2", port)).isEqualTo("127.0.0.2:" + port);
        assertThatThrownBy(() -> RawClient.connect(port)).isInstanceOf(ConnectException.class);
        load.finish();
    }

    @Test
    void listenersThatSwapTheirPortsAreBothServed() throws Exception {
        int other = GregorProcess.freePort();
        node.set(
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,A:PLAINTEXT,B:PLAINTEXT",
                node.listeners("A://127.0.0.1:" + port, "B://127.0.0.1:" + other));

        load.during("ports swapped", () -> node.set(node.listeners("A://127.0.0.1:" + other, "B://127.0.0.1:" + port)));

        assertThat(node.shell("listener:list").lines())
                .anyMatch(line -> line.matches("broker +A +PLAINTEXT +127.0.0.1:" + other + " .*"))
                .anyMatch(line -> line.matches("broker +B +PLAINTEXT +127.0.0.1:" + port + " .*"));
        assertThat(ChangingNode.advertised(port)).isEqualTo("127.0.0.1:" + port);
        assertThat(ChangingNode.advertised(other)).isEqualTo("127.0.0.1:" + other);
        load.finish();
    }

    @Test
    void advertisedAddressChangesAloneAndConnectionsStay() throws Exception {
        add("127.0.0.1:" + port);
        try (Load other = Load.start(port, BUSY, 0)) {
            load.during(
                    "advertised address changed",
                    () -> other.during(
                            "advertised address changed, on the listener itself",
                            () -> node.set("advertised.listeners=PLAINTEXT://127.0.0.1:" + node.port()
                                    + ",EXTRA://kafka.example:19092")));

            assertThat(ChangingNode.advertised(port)).isEqualTo("kafka.example:19092");
            assertThat(ChangingNode.advertised(node.port())).isEqualTo("127.0.0.1:" + node.port());
            other.finish();
        }
        load.finish();
    }

    @Test
    void furtherListenerOfTheControllerComesAndGoes() throws Exception {
        load.during(
                "controller's listener added",
                () -> node.set(
                        "controller.listener.names=CONTROLLER,EXTRA",
                        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,EXTRA:PLAINTEXT",
                        node.listeners("EXTRA://127.0.0.1:" + port)));

        assertThat(RawClient.answers(port)).isTrue();
        assertThat(node.shell("listener:list").lines()).anyMatch(line -> line.matches("controller +EXTRA .* open .*"));

        load.during(
                "controller's listener removed",
                () -> node.delete("controller.listener.names", "listeners", "listener.security.protocol.map"));

        await().atMost(ChangingNode.SOON).until(() -> !RawClient.answers(port));
        assertThat(RawClient.answers(node.process().controllerPort())).isTrue();
        load.finish();
    }

    private void add(String address) throws Exception {
        node.set(
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,EXTRA:PLAINTEXT",
                node.listeners("EXTRA://" + address));
    }
}
