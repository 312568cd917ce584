package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.ShellSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One node with a TLS listener for each way to set it up; the controller's listener is one of them. */
class TlsListenersIT {
    private static final Map<String, Integer> PORTS = new HashMap<>();
    private static final List<String> LISTENERS =
            List.of("JKS", "PEM", "INLINE", "REQUIRED", "OLD", "NEW", "MAPPED", "EXPIRED");

    @TempDir
    private static Path home;

    private static GregorProcess node;

    @BeforeAll
    static void start() {
        LISTENERS.forEach(name -> PORTS.put(name, GregorProcess.freePort()));
        int port = GregorProcess.freePort();
        int controllerPort = GregorProcess.freePort();
        node = GregorProcess.launch(
                        "server.properties",
                        home.resolve("node"),
                        port,
                        controllerPort,
                        overrides(port, controllerPort).toArray(String[]::new))
                .awaitReady();
    }

    private static List<String> overrides(int port, int controllerPort) {
        TestKey server = TestCertificates.server();
        String authority = TestStores.pem(TestCertificates.authority());
        List<String> all = new ArrayList<>(List.of(
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort + ","
                        + LISTENERS.stream()
                                .map(name -> name + "://127.0.0.1:" + PORTS.get(name))
                                .collect(Collectors.joining(",")),
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:SSL,"
                        + LISTENERS.stream().map(name -> name + ":SSL").collect(Collectors.joining(",")),
                "listener.name.required.ssl.client.auth=required",
                "listener.name.old.ssl.enabled.protocols=TLSv1.2",
                "listener.name.new.ssl.enabled.protocols=TLSv1.3",
                "listener.name.mapped.ssl.client.auth=requested",
                "listener.name.mapped.ssl.principal.mapping.rules=RULE:^CN=(.*)$/$1/L"));
        stores(all, "jks", "JKS", server.jks(home.resolve("server.jks")));
        all.add("listener.name.jks.ssl.truststore.location="
                + TestStores.trustJks(home.resolve("trust.jks"), TestCertificates.authority()));
        all.addAll(List.of(
                "listener.name.pem.ssl.keystore.type=PEM",
                "listener.name.pem.ssl.keystore.location=" + server.pem(home.resolve("server.pem")),
                "listener.name.inline.ssl.keystore.type=PEM",
                "listener.name.inline.ssl.keystore.key=" + server.keyPem(),
                "listener.name.inline.ssl.keystore.certificate.chain=" + server.chainPem(),
                "listener.name.inline.ssl.truststore.type=PEM",
                "listener.name.inline.ssl.truststore.certificates=" + authority));
        for (String listener : List.of("required", "old", "new", "mapped", "controller")) {
            stores(all, listener, "PKCS12", server.pkcs12(home.resolve("server.p12")));
            all.add("listener.name." + listener + ".ssl.truststore.location="
                    + TestStores.trustPkcs12(home.resolve("trust.p12"), TestCertificates.authority()));
        }
        stores(all, "expired", "PKCS12", TestCertificates.expiredServer().pkcs12(home.resolve("expired.p12")));
        all.add("listener.name.expired.ssl.truststore.location=" + home.resolve("trust.p12"));
        return all;
    }

    private static void stores(List<String> all, String listener, String type, Path keystore) {
        String prefix = "listener.name." + listener + ".ssl.";
        all.addAll(List.of(
                prefix + "keystore.type=" + type,
                prefix + "keystore.location=" + keystore,
                prefix + "keystore.password=" + TestKey.PASSWORD,
                prefix + "key.password=" + TestKey.PASSWORD,
                prefix + "truststore.type=" + type,
                prefix + "truststore.password=" + TestKey.PASSWORD));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PEM", "INLINE", "MAPPED"})
    void servesWithEachKindOfStore(String listener) throws Exception {
        try (Admin admin = Admin.create(client(listener))) {
            assertThat(admin.listTopics().names().get(30, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void letsInOnlyWhoHasACertificateOfTheAuthority() throws Exception {
        try (Admin admin = Admin.create(client("REQUIRED", TestCertificates.client("jane")))) {
            assertThat(admin.listTopics().names().get(30, TimeUnit.SECONDS)).isNotNull();
        }
        assertRefused(client("REQUIRED"));
        assertRefused(client("REQUIRED", TestCertificates.clientOfOtherAuthority("jane")));
        assertRefused(client("REQUIRED", TestCertificates.expiredClient("jane")));
    }

    @Test
    void namesClientsByTheirCertificates() {
        try (Admin known = Admin.create(client("MAPPED", TestCertificates.client("MARY")));
                Admin unknown = Admin.create(client("MAPPED"))) {
            assertThat(known.listTopics().names()).succeedsWithin(Duration.ofSeconds(30));
            assertThat(unknown.listTopics().names()).succeedsWithin(Duration.ofSeconds(30));

            assertThat(ShellSocket.call(node.home(), "connection:list listener=MAPPED")
                            .output())
                    .contains("User:mary", "User:ANONYMOUS");
        }
    }

    @ParameterizedTest
    @CsvSource({"OLD, TLSv1.2, TLSv1.3", "NEW, TLSv1.3, TLSv1.2"})
    void speaksOnlyTheVersionsThatAreEnabled(String listener, String spoken, String refused) throws IOException {
        assertThat(handshake(PORTS.get(listener), spoken)).isEqualTo(spoken);
        assertThatThrownBy(() -> handshake(PORTS.get(listener), refused)).isInstanceOf(SSLException.class);
    }

    @Test
    void warnsOfACertificateThatHasExpired() {
        assertThat(node.logText()).contains("certificate has expired: listener=EXPIRED store=key store alias=key");
    }

    @Test
    void refusesAChangeToStoresThatCannotBeUsed() throws IOException {
        Finished refused = ShellSocket.call(
                node.home(), "config:set listener.name.old.ssl.keystore.location=" + home.resolve("none.p12"));

        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.output())
                .contains("ssl.keystore.location=" + home.resolve("none.p12") + " does not exist", "listener=OLD")
                .doesNotContain(TestKey.PASSWORD);
        assertThat(handshake(PORTS.get("OLD"), "TLSv1.2")).isEqualTo("TLSv1.2");
    }

    @Test
    void controllersCanBeReachedOverTlsToo() throws Exception {
        assertThat(handshake(node.controllerPort(), "TLSv1.3")).isEqualTo("TLSv1.3");
        assertThat(ShellSocket.call(node.home(), "certificate:list listener=CONTROLLER store=key")
                        .output())
                .contains("CN=localhost");
    }

    private static String handshake(int port, String version) throws IOException {
        try (SSLSocket socket = (SSLSocket) TestStores.trusting(TestCertificates.authority())
                .getSocketFactory()
                .createSocket("127.0.0.1", port)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            return socket.getSession().getProtocol();
        }
    }

    private static void assertRefused(Map<String, Object> client) {
        try (Admin admin = Admin.create(client)) {
            assertThat(admin.listTopics().names())
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(SslAuthenticationException.class);
        }
    }

    private static Map<String, Object> client(String listener) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", "127.0.0.1:" + PORTS.get(listener));
        settings.put("security.protocol", "SSL");
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", TestStores.pem(TestCertificates.authority()));
        return settings;
    }

    private static Map<String, Object> client(String listener, TestKey own) {
        Map<String, Object> settings = client(listener);
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.key", own.keyPem());
        settings.put("ssl.keystore.certificate.chain", own.chainPem());
        return settings;
    }
}
