package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protocol and stores of a listener change while it is used: who is there stays as he is, unless he is to go; who comes gets the
 * new, on the same port.
 */
class ListenerSecurityChangesIT {
    private static final int BUSY = 12;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String MAP = "listener.security.protocol.map";
    private static final String OF_EXTRA = "listener.name.extra.";
    private static final String STORE = OF_EXTRA + "ssl.keystore.location";

    @TempDir
    private static Path home;

    private static Path store;
    private static SecuredNode node;
    private static Admin admin;
    private int port;

    @BeforeAll
    static void start() throws Exception {
        store = home.resolve("extra.p12");
        node = SecuredNode.start(home.resolve("node"), "gregor.ssl.store.check.interval.ms=3600000");
        Load.createTopics(node.process());
        admin = Admin.create(node.clients());
    }

    @AfterAll
    static void stop() {
        admin.close();
        node.close();
    }

    @BeforeEach
    void addListener() throws Exception {
        port = GregorProcess.freePort();
        TestCertificates.server(1).pkcs12(store);
        set("listeners=" + node.listeners() + ",EXTRA://127.0.0.1:" + port, map(SecurityProtocol.PLAINTEXT));
    }

    @AfterEach
    void removeListener() throws Exception {
        List<AlterConfigOp> ops = new ArrayList<>();
        for (ConfigEntry entry : admin.describeConfigs(List.of(thisNode()))
                .all()
                .get()
                .get(thisNode())
                .entries()) {
            if (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG) {
                ops.add(new AlterConfigOp(new ConfigEntry(entry.name(), null), OpType.DELETE));
            }
        }
        alter(ops);
    }

    @Test
    void connectionsOfEveryProtocolLiveOnWhenTheNextOneComes() throws Exception {
        try (Load others =
                        Load.start(node.port(SecurityProtocol.SASL_SSL), clients(SecurityProtocol.SASL_SSL), BUSY, 5);
                Load plain = on(SecurityProtocol.PLAINTEXT)) {
            others.during("PLAINTEXT to SSL", () -> set(withStore(map(SecurityProtocol.SSL))));
            assertIsSpokenAndNamed(SecurityProtocol.SSL);
            try (Load tls = on(SecurityProtocol.SSL)) {
                plain.during("SSL to SASL_SSL", () -> set(withUsers(map(SecurityProtocol.SASL_SSL))));
                assertIsSpokenAndNamed(SecurityProtocol.SASL_SSL);
                try (Load sasl = on(SecurityProtocol.SASL_SSL)) {
                    tls.during("SASL_SSL to PLAINTEXT", () -> set(map(SecurityProtocol.PLAINTEXT)));
                    assertIsSpokenAndNamed(SecurityProtocol.PLAINTEXT);
                    sasl.during("connections of SASL_SSL", () -> {});
                    sasl.finish();
                }
                tls.finish();
            }
            plain.finish();
            others.finish();
        }
        assertThat(node.process().logText()).doesNotContain(" ERROR ");
    }

    @Test
    void aProtocolThatCannotBeSpokenIsRefusedAndNothingChanges() throws Exception {
        try (Load plain = on(SecurityProtocol.PLAINTEXT)) {
            plain.during("refused changes", () -> {
                assertThatThrownBy(() -> set(map(SecurityProtocol.SSL), STORE + "=" + home.resolve("none.p12")))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("none.p12");
                assertThatThrownBy(
                                () -> set(map(SecurityProtocol.SASL_SSL), OF_EXTRA + "sasl.enabled.mechanisms=NO-SUCH"))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("NO-SUCH");
            });
            assertIsSpokenAndNamed(SecurityProtocol.PLAINTEXT);
            plain.finish();
        }
    }

    @Test
    void connectionsAreDrainedIfTheyAreTo() throws Exception {
        try (Load others =
                        Load.start(node.port(SecurityProtocol.SASL_SSL), clients(SecurityProtocol.SASL_SSL), BUSY, 5);
                Load samePlain = Load.start(node.port(SecurityProtocol.PLAINTEXT), BUSY, 0);
                RawClient one = RawClient.connect(port);
                RawClient two = RawClient.connect(port)) {
            one.call(SaslWire.metadataRequest(), 1);
            two.call(SaslWire.metadataRequest(), 1);
            others.during(
                    "drained to SSL",
                    () -> set(withStore(map(SecurityProtocol.SSL), OF_EXTRA + "gregor.listener.drain.on.change=true")));
            assertThat(one.isClosedByPeer()).isTrue();
            assertThat(two.isClosedByPeer()).isTrue();
            assertIsSpokenAndNamed(SecurityProtocol.SSL);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(shell("change:list"))
                    .containsPattern("drain.on.change[^\n]*drained=2 closed=0 unanswered=0"));
            samePlain.during("the others'", () -> {});
            samePlain.finish();
            others.finish();
        }
    }

    @Test
    void theSameValueAgainReadsTheStoreAgain() throws Exception {
        set(withStore(map(SecurityProtocol.SSL)));
        assertThat(served()).isEqualTo(serial(TestCertificates.server(1)));
        try (Load load = on(SecurityProtocol.SSL)) {
            load.during("the same values again", () -> {
                TestCertificates.server(2).pkcs12(store);
                assertThat(served()).isEqualTo(serial(TestCertificates.server(1)));
                set(STORE + "=" + store);
                assertThat(served()).isEqualTo(serial(TestCertificates.server(2)));

                TestCertificates.server(3).pkcs12(store);
                set(OF_EXTRA + "ssl.keystore.password=" + TestKey.PASSWORD);
                assertThat(served()).isEqualTo(serial(TestCertificates.server(3)));
            });
            load.during("a broken store", () -> {
                Files.writeString(store, "no store");
                assertThatThrownBy(() -> set(STORE + "=" + store))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining(store + " cannot be read as a key store");
                TestCertificates.serverElsewhere().pkcs12(store);
                assertThatThrownBy(() -> set(STORE + "=" + store))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("ssl.allow.dn.changes=true");
                assertThat(served()).isEqualTo(serial(TestCertificates.server(3)));
            });
            load.finish();
        }
    }

    private static String serial(TestKey key) {
        return key.certificate().getSerialNumber().toString(16);
    }

    /** The certificate that a new connection gets. */
    private String served() throws IOException {
        try (SSLSocket socket = (SSLSocket) TestStores.trusting(TestCertificates.authority())
                .getSocketFactory()
                .createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber()
                    .toString(16);
        }
    }

    private static String map(SecurityProtocol ofExtra) {
        return MAP
                + "=PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT,"
                + "EXTRA:" + ofExtra;
    }

    private static String[] withStore(String... values) {
        return Stream.concat(
                        Arrays.stream(values),
                        Stream.of(
                                STORE + "=" + store,
                                OF_EXTRA + "ssl.keystore.type=PKCS12",
                                OF_EXTRA + "ssl.keystore.password=" + TestKey.PASSWORD,
                                OF_EXTRA + "ssl.key.password=" + TestKey.PASSWORD))
                .toArray(String[]::new);
    }

    private static String[] withUsers(String... values) {
        return Stream.concat(
                        Arrays.stream(values),
                        Stream.of(
                                OF_EXTRA + "sasl.enabled.mechanisms=PLAIN",
                                OF_EXTRA + "plain.sasl.jaas.config=" + SecuredNode.jaasOfNode("PLAIN")))
                .toArray(String[]::new);
    }

    private static ConfigResource thisNode() {
        return new ConfigResource(ConfigResource.Type.BROKER, "1");
    }

    /** When this returns the change is switched on. */
    private static void set(String... keyValues) throws Exception {
        alter(Arrays.stream(keyValues)
                .map(pair -> pair.split("=", 2))
                .map(pair -> new AlterConfigOp(new ConfigEntry(pair[0], pair[1]), OpType.SET))
                .toList());
    }

    private static void alter(List<AlterConfigOp> ops) throws Exception {
        try {
            admin.incrementalAlterConfigs(Map.of(thisNode(), ops)).all().get();
        } catch (ExecutionException answered) {
            throw answered.getCause() instanceof Exception refusal ? refusal : answered;
        }
    }

    /** New connections speak it, and are told to come back to the same port. */
    private void assertIsSpokenAndNamed(SecurityProtocol protocol) throws Exception {
        try (Admin client = Admin.create(clientsOfExtra(protocol))) {
            assertThat(client.describeCluster().nodes().get())
                    .singleElement()
                    .satisfies(broker -> assertThat(broker.port()).isEqualTo(port));
        }
        assertThat(shell("listener:list")).containsPattern("EXTRA +" + protocol + " ");
    }

    private Load on(SecurityProtocol protocol) throws IOException {
        return Load.start(port, clientsOfExtra(protocol), BUSY, 5);
    }

    private Map<String, Object> clientsOfExtra(SecurityProtocol protocol) {
        Map<String, Object> settings = clients(protocol);
        settings.put("bootstrap.servers", "127.0.0.1:" + port);
        return settings;
    }

    private static Map<String, Object> clients(SecurityProtocol protocol) {
        return protocol == SecurityProtocol.SASL_SSL
                ? node.clients(protocol, "PLAIN", "alice")
                : node.clients(protocol);
    }

    private static String shell(String command) {
        return ShellSocket.call(node.process().home(), command).output();
    }
}
