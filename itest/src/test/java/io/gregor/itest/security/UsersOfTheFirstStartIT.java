package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ExpireDelegationTokenOptions;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.security.token.delegation.DelegationToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersOfTheFirstStartIT {
    private static final Path CONFIG =
            Path.of(System.getProperty("gregor.dist", "../launcher/target/gregor"), "config");
    private static final String CLUSTER = "q1Sh-9_ISia_zwGINzRvyQ";
    private static final String MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required";

    @TempDir
    Path directory;

    @Test
    void logInToABrokerApartFromItsControllerAndGetTokens() throws Exception {
        int controllerPort = GregorProcess.freePort();
        int saslPort = GregorProcess.freePort();
        int plainPort = GregorProcess.freePort();
        String secret = "delegation.token.secret.key=secret-of-all-nodes";
        Path users =
                Files.writeString(directory.resolve("users.txt"), "SCRAM-SHA-512=[name=alice,password=alice-secret]\n");
        format("controller.properties", "controller", "--add-scram", "@" + users);
        format("broker.properties", "broker");
        try (GregorProcess controller = GregorProcess.launch(
                        "controller.properties",
                        directory.resolve("controller"),
                        GregorProcess.freePort(),
                        controllerPort,
                        secret);
                GregorProcess broker = GregorProcess.launch(
                        "broker.properties",
                        directory.resolve("broker"),
                        plainPort,
                        controllerPort,
                        secret,
                        "listeners=PLAINTEXT://127.0.0.1:" + plainPort + ",SASL_PLAINTEXT://127.0.0.1:" + saslPort,
                        "listener.security.protocol.map="
                                + "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT",
                        "sasl.enabled.mechanisms=SCRAM-SHA-512",
                        "listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config=" + MODULE + ";")) {
            broker.awaitReady();
            try (Admin alice = Admin.create(client(saslPort, "username=\"alice\" password=\"alice-secret\""))) {
                DelegationToken token =
                        alice.createDelegationToken().delegationToken().get();
                Map<String, Object> byToken = client(
                        saslPort,
                        "username=\"" + token.tokenInfo().tokenId() + "\" password=\"" + token.hmacAsBase64String()
                                + "\" tokenauth=\"true\"");
                await().until(() -> canLogIn(byToken));

                alice.expireDelegationToken(token.hmac(), new ExpireDelegationTokenOptions().expiryTimePeriodMs(-1))
                        .expiryTimestamp()
                        .get();

                await().until(() -> !canLogIn(byToken));
            }
            assertThat(controller.logText() + broker.logText()).doesNotContain("] ERROR ", "alice-secret");
        }
    }

    private void format(String config, String home, String... options) throws Exception {
        Path created = Files.createDirectories(directory.resolve(home));
        List<String> arguments = new ArrayList<>(List.of(
                "format", "-t", CLUSTER, "-c", CONFIG.resolve(config).toString(), "--home", created.toString()));
        arguments.addAll(List.of(options));
        GregorProcess.Finished formatted = GregorProcess.gregor(created, arguments.toArray(String[]::new));
        assertThat(formatted.status()).as(formatted.output()).isZero();
        assertThat(formatted.output()).doesNotContain("alice-secret");
    }

    private static Map<String, Object> client(int port, String login) {
        return Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                MODULE + " " + login + ";");
    }

    private static boolean canLogIn(Map<String, Object> settings) throws Exception {
        try (Admin admin = Admin.create(settings)) {
            admin.describeCluster().clusterId().get();
            return true;
        } catch (ExecutionException refused) {
            assertThat(refused.getCause()).isInstanceOf(SaslAuthenticationException.class);
            return false;
        }
    }
}
