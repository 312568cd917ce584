package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New certificates by file, by the admin API and by the shell while clients are served: new connections get them, old ones stay. */
class CertificatesRotateUnderLoadIT {
    private static final int ROTATIONS = 20;
    private static final int CERTIFICATES = 4;
    private static final String LOCATION = "listener.name.ssl.ssl.keystore.location";

    @TempDir
    private static Path home;

    private static Path current;
    private static SecuredNode node;

    @BeforeAll
    static void start() throws Exception {
        current = TestCertificates.server(0).pkcs12(home.resolve("current.p12"));
        node = SecuredNode.start(
                home.resolve("node"),
                LOCATION + "=" + current,
                "listener.name.ssl.ssl.keystore.type=PKCS12",
                "listener.name.ssl.ssl.keystore.password=" + TestKey.PASSWORD,
                "listener.name.ssl.ssl.key.password=" + TestKey.PASSWORD,
                "gregor.ssl.store.check.interval.ms=100");
        Load.createTopics(node.process());
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void twentyTimesWithoutADropAndABrokenOneIsRefused() throws Exception {
        try (Load load = Load.start(node.port(SecurityProtocol.SSL), node.clients(SecurityProtocol.SSL), 6, 10)) {
            load.during(ROTATIONS + " rotations", () -> {
                for (int i = 1; i <= ROTATIONS; i++) {
                    rotate(i);
                    awaitServed(TestCertificates.server(i % CERTIFICATES));
                }
            });
            load.during("a broken store", CertificatesRotateUnderLoadIT::breakStore);
            load.finish();
        }
        assertThat(shell("change:list door=node result=applied").output()).contains("certificates SSL");
    }

    private static Finished shell(String command) {
        return ShellSocket.call(node.process().home(), command);
    }

    private static void rotate(int number) throws Exception {
        TestKey next = TestCertificates.server(number % CERTIFICATES);
        switch (number % 3) {
            case 0 -> next.pkcs12(current);
            case 1 -> alter(next.pkcs12(home.resolve("altered-" + number + ".p12")));
            default -> {
                next.pkcs12(current);
                assertThat(shell("certificate:reload ssl").output())
                        .contains("listener=SSL new connections get CN=localhost serial="
                                + next.certificate().getSerialNumber().toString(16));
            }
        }
    }

    /** By the admin API; what the file watcher then looks at is put back at once. */
    private static void alter(Path store) throws Exception {
        set(store);
        Files.copy(store, home.resolve("copy.p12"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(
                home.resolve("copy.p12"), current, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        set(current);
    }

    private static void set(Path store) throws Exception {
        try (Admin admin = Admin.create(node.clients())) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.BROKER, "1"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry(LOCATION, store.toString()), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    private static void breakStore() throws Exception {
        TestKey inUse = TestCertificates.server(ROTATIONS % CERTIFICATES);
        Files.writeString(current, "no store");
        await().atMost(Duration.ofSeconds(20)).until(() -> node.process()
                .shell("certificate:list listener=SSL store=key alias=key")
                .output()
                .contains(current + " cannot be read as a key store"));
        assertThat(served()).isEqualTo(inUse.certificate().getSerialNumber().toString(16));
        assertThat(shell("certificate:reload SSL").status()).isEqualTo(1);
        assertThat(node.process().logText()).contains("changed certificates are not used, the former ones are: ");

        TestCertificates.serverElsewhere().pkcs12(current);
        assertThat(shell("certificate:reload SSL").output()).contains("ssl.allow.dn.changes=true");
        assertThat(served()).isEqualTo(inUse.certificate().getSerialNumber().toString(16));
        inUse.pkcs12(current);
    }

    @Test
    void showsWhenTheyExpire() throws Exception {
        long days = Duration.ofMillis((long) figure("SSL", "key")).toDays();

        assertThat(days).isBetween(80L, 90L);
        assertThat(figure("SASL_SSL", "trust")).isPositive();
    }

    private static double figure(String listener, String store) throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(node.process())) {
            return jmx.number("io.gregor:type=Certificates,listener=" + listener + ",store=" + store, "ExpiresInMs");
        }
    }

    private static void awaitServed(TestKey expected) {
        String serial = expected.certificate().getSerialNumber().toString(16);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(() -> assertThat(served()).isEqualTo(serial));
    }

    /** The certificate that a new connection gets. */
    private static String served() throws IOException {
        try (SSLSocket socket = (SSLSocket) TestStores.trusting(TestCertificates.authority())
                .getSocketFactory()
                .createSocket("127.0.0.1", node.port(SecurityProtocol.SSL))) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                    .getSerialNumber()
                    .toString(16);
        }
    }
}
