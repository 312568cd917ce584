package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.load.Load;
import io.gregor.itest.load.RealClients;
import io.gregor.itest.load.ThrottledApi;
import io.gregor.itest.security.SecuredNode;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Connections keep what they have agreed on and who they are while processors and listeners come and go, those too that are
 * just about to tell it, and those that are throttled.
 */
class SecuredListenersChangeUnderLoadIT {
    private static final int BUSY = 40;

    @TempDir
    private static Path home;

    private static SecuredNode secured;
    private static ChangingNode node;

    @BeforeAll
    static void start() throws Exception {
        secured = SecuredNode.start(home);
        node = ChangingNode.of(secured.process());
        ThrottledApi.install(secured.process());
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"SSL", "SASL_SSL"})
    void networkThreadsGrowAndShrinkUnderConnectionsInEveryState(SecurityProtocol protocol) throws Exception {
        Map<String, Object> clients = clients(protocol);
        int port = secured.port(protocol);
        String key = "listener.name." + protocol.name.toLowerCase() + ".num.network.threads";
        try (Load load = Load.start(port, clients, BUSY, 50);
                Load throttled = Load.startThrottled(port, clients, 10);
                Load halfway = Load.startHalfway(port, clients, 30);
                RealClients real = RealClients.start(clients)) {
            for (int threads : new int[] {6, 3, 2, 1}) {
                load.during(key + "=" + threads, () -> {
                    await().atMost(ChangingNode.SOON).until(() -> areThrottled(protocol));
                    node.set(key + "=" + threads);
                    node.awaitProcessors(protocol.name, threads);
                });
            }
            load.finish();
            throttled.finish();
            halfway.finish();
            real.finish();
        } finally {
            node.set(key + "=2");
            node.delete(key);
        }
    }

    private static boolean areThrottled(SecurityProtocol protocol) {
        return node.shell("connection:list listener=" + protocol + " state~throttled")
                        .lines()
                        .count()
                > 1;
    }

    @Test
    void securedListenersComeMoveAndGo() throws Exception {
        int port = GregorProcess.freePort();
        int other = GregorProcess.freePort();
        Map<String, Object> clients = clients(SecurityProtocol.SASL_SSL);
        try (Load overTls = Load.start(secured.port(SecurityProtocol.SSL), clients(SecurityProtocol.SSL), BUSY, 0);
                Load load = Load.start(secured.port(SecurityProtocol.SASL_SSL), clients, BUSY, 20);
                RealClients real = RealClients.start(clients)) {
            load.during(
                    "SASL_SSL listener added",
                    () -> node.set(
                            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,"
                                    + "SASL_SSL:SASL_SSL,EXTRA:SASL_SSL,CONTROLLER:PLAINTEXT",
                            "listener.name.extra.sasl.enabled.mechanisms=PLAIN",
                            "listener.name.extra.plain.sasl.jaas.config=" + SecuredNode.jaasOfNode("PLAIN"),
                            "listeners=" + secured.listeners() + ",EXTRA://127.0.0.1:" + port));
            assertServes(port, clients);

            load.during(
                    "its port changed",
                    () -> node.set("listeners=" + secured.listeners() + ",EXTRA://127.0.0.1:" + other));
            assertServes(other, clients);

            load.during(
                    "it is removed",
                    () -> node.delete(
                            "listeners",
                            "listener.security.protocol.map",
                            "listener.name.extra.sasl.enabled.mechanisms",
                            "listener.name.extra.plain.sasl.jaas.config"));
            assertThatThrownBy(() -> RawClient.connect(other)).isInstanceOf(ConnectException.class);
            node.awaitProcessors("EXTRA", 0);
            await().atMost(ChangingNode.SOON)
                    .untilAsserted(() ->
                            assertThat(node.jmx().names("*:listener=EXTRA,*")).isEmpty());
            load.finish();
            overTls.finish();
            real.finish();
        }
    }

    private static void assertServes(int port, Map<String, Object> clients) throws Exception {
        try (Load load = Load.start(port, clients, BUSY, 0)) {
            load.during("load on the other listener", () -> {});
            load.finish();
        }
    }

    private static Map<String, Object> clients(SecurityProtocol protocol) {
        return protocol == SecurityProtocol.SSL
                ? secured.clients(protocol)
                : secured.clients(protocol, "PLAIN", "alice");
    }
}
