package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Limits count from the moment they are set, for connections that are there too; those within their limits do not notice.
 * The load runs on the listener of the brokers, the limits are met on the other one.
 */
class LimitsChangeUnderLoadIT {
    private static final int BUSY = 64;
    /** So many exceed 10 a second over the 11 seconds that rates are measured. */
    private static final int TOO_MANY = 120;

    private static final String OTHER = "127.0.0.2";

    @TempDir
    private static Path home;

    private static ChangingNode node;
    private static int extra;

    private final List<RawClient> clients = new ArrayList<>();
    private Load load;

    @BeforeAll
    static void startNode() throws Exception {
        int port = GregorProcess.freePort();
        int controller = GregorProcess.freePort();
        extra = GregorProcess.freePort();
        node = ChangingNode.start(
                home,
                port,
                controller,
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,EXTRA:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",EXTRA://127.0.0.1:" + extra + ",CONTROLLER://127.0.0.1:"
                        + controller);
    }

    @AfterAll
    static void stopNode() throws Exception {
        node.close();
    }

    @BeforeEach
    void startLoad() throws IOException {
        load = Load.start(node.port(), BUSY, 0);
    }

    @AfterEach
    void end() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        load.close();
        node.delete(
                "max.connections",
                "max.connections.per.ip.overrides",
                "max.connection.creation.rate",
                "connections.max.idle.ms",
                "socket.request.max.bytes",
                "listener.name.extra.max.connections",
                "listener.name.extra.max.connection.creation.rate");
    }

    @Test
    void connectionsOverTheLimitOfAListenerWaitUntilOneGoes() throws Exception {
        List<RawClient> within = served(3);
        load.during("listener.name.extra.max.connections=3", () -> node.set("listener.name.extra.max.connections=3"));

        CompletableFuture<RawClient> fourth = connecting();
        assertThat(fourth).isNotDone();
        within.forEach(LimitsChangeUnderLoadIT::ask);
        assertThat(fourth).isNotDone();
        within.get(0).close();
        assertThat(fourth).succeedsWithin(ChangingNode.SOON);

        CompletableFuture<RawClient> fifth = connecting();
        load.during("limit deleted", () -> node.delete("listener.name.extra.max.connections"));
        assertThat(fifth).succeedsWithin(ChangingNode.SOON);
        within.subList(1, 3).forEach(LimitsChangeUnderLoadIT::ask);
        load.finish();
    }

    @Test
    void brokersAreLetInOverTheLimitAndTheLeastUsedConnectionOfTheOtherListenerGoes() throws Exception {
        List<RawClient> within = served(3);
        ask(within.get(0));
        node.value("max.connections"); // has the Admin client connect before they are counted
        long connections = connections();
        load.during("max.connections=" + connections, () -> node.set("max.connections=" + connections));

        RawClient broker = add(RawClient.connect(node.port()));
        ask(broker);

        assertThat(within.get(1).isClosedByPeer()).isTrue();
        ask(within.get(0));
        ask(within.get(2));
        load.during("max.connections deleted", () -> node.delete("max.connections"));
        load.finish();
    }

    @Test
    void connectionsOverTheLimitOfAnAddressAreClosedAtOnce() throws Exception {
        load.during(
                "max.connections.per.ip.overrides=127.0.0.2:2",
                () -> node.set("max.connections.per.ip.overrides=" + OTHER + ":2"));
        RawClient first = fromOther();
        ask(first);
        ask(fromOther());

        assertThat(fromOther().isClosedByPeer()).isTrue();

        first.close();
        await().atMost(ChangingNode.SOON)
                .untilAsserted(() -> assertThat(isServed(fromOther())).isTrue());
        load.during("limit of an address deleted", () -> node.delete("max.connections.per.ip.overrides"));
        ask(fromOther());
        load.finish();
    }

    @ParameterizedTest
    @ValueSource(strings = {"max.connection.creation.rate", "listener.name.extra.max.connection.creation.rate"})
    void connectionsThatComeTooFastWaitAndNoneIsLost(String rate) throws Exception {
        load.during(rate + "=10", () -> node.set(rate + "=10"));

        List<RawClient> many = new ArrayList<>();
        while (throttleMs() == 0) {
            assertThat(many).hasSizeLessThan(TOO_MANY);
            many.addAll(served(1));
        }
        many.addAll(served(3));

        load.during(rate + " deleted", () -> node.delete(rate));
        long startNs = System.nanoTime();
        served(TOO_MANY);
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
        many.forEach(LimitsChangeUnderLoadIT::ask);
        load.finish();
    }

    /** How long the acceptor let clients wait, on average. */
    private static double throttleMs() throws Exception {
        return node.jmx()
                .number("kafka.server:listener=EXTRA,type=socket-server-metrics", "connection-accept-throttle-time");
    }

    @Test
    void addressThatComesTooFastIsClosedLateAndNoOther() throws Exception {
        load.during("connection_creation_rate=1 of an address", () -> rateOfOther(1.0));

        List<RawClient> many = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            many.add(fromOther());
        }
        served(20);
        long turnedAway = many.stream().filter(client -> !isServed(client)).count();
        assertThat(turnedAway).isBetween(1L, 19L);

        load.during("rate of an address deleted", () -> rateOfOther(null));
        for (int i = 0; i < 20; i++) {
            ask(fromOther());
        }
        load.finish();
    }

    @Test
    void shorterIdleTimeCountsForConnectionsThatAreThere() throws Exception {
        List<RawClient> idle = served(5);

        load.during("connections.max.idle.ms=1000", () -> node.set("connections.max.idle.ms=1000"));

        for (RawClient client : idle) {
            assertThat(client.isClosedByPeer()).isTrue();
        }
        load.during("idle time deleted", () -> node.delete("connections.max.idle.ms"));
        load.finish();
    }

    @Test
    void smallerRequestSizeClosesOnlyWhoSendsMore() throws Exception {
        RawClient small = served(1).get(0);
        RawClient big = served(1).get(0);
        load.during("socket.request.max.bytes=5000", () -> node.set("socket.request.max.bytes=5000"));

        big.sendBytes(ByteBuffer.allocate(4).putInt(5001).array());

        assertThat(big.isClosedByPeer()).isTrue();
        ask(small);
        load.during("request size deleted", () -> node.delete("socket.request.max.bytes"));
        RawClient again = served(1).get(0);
        again.sendBytes(ByteBuffer.allocate(4).putInt(5001).array());
        again.sendBytes(new byte[5000]);
        ask(small);
        load.finish();
    }

    /** With the controller, since brokers do not forward it yet. */
    private static void rateOfOther(Double rate) throws Exception {
        ClientQuotaEntity address = new ClientQuotaEntity(Map.of(ClientQuotaEntity.IP, OTHER));
        ClientQuotaAlteration.Op op = new ClientQuotaAlteration.Op("connection_creation_rate", rate);
        List<ClientQuotaAlteration> alterations = List.of(new ClientQuotaAlteration(address, List.of(op)));
        try (RawClient controller = RawClient.connect(node.process().controllerPort())) {
            AbstractResponse answer =
                    controller.call(new AlterClientQuotasRequest.Builder(alterations, false).build((short) 1), 1);
            assertThat(answer.errorCounts()).containsOnlyKeys(Errors.NONE);
        }
    }

    /** Of both listeners of the brokers. */
    private static long connections() throws Exception {
        double sum = 0;
        for (String listener : List.of("PLAINTEXT", "EXTRA")) {
            String processors = "kafka.server:type=socket-server-metrics,listener=" + listener + ",networkProcessor=*";
            for (String name : node.jmx().names(processors)) {
                sum += node.jmx().number(name, "connection-count");
            }
        }
        return Math.round(sum);
    }

    private List<RawClient> served(int count) throws IOException {
        List<RawClient> served = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            RawClient client = add(RawClient.connect(extra));
            ask(client);
            served.add(client);
        }
        return served;
    }

    private RawClient fromOther() throws IOException {
        return add(RawClient.connect(OTHER, "127.0.0.1", extra));
    }

    /** Done when it is answered. */
    private CompletableFuture<RawClient> connecting() throws IOException {
        RawClient client = add(RawClient.connect(extra));
        return Background.supply(() -> {
            ask(client);
            return client;
        });
    }

    private RawClient add(RawClient client) {
        clients.add(client);
        return client;
    }

    private static boolean isServed(RawClient client) {
        try {
            ChangingNode.ask(client, 1);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private static void ask(RawClient client) {
        assertThat(isServed(client)).isTrue();
    }
}
