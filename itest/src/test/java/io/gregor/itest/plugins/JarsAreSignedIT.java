package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.kinds.SecretTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.server.authorizer.Authorizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a store of certificates, a jar is used only if it is signed by one of them. */
class JarsAreSignedIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path home;

    @Test
    void anUnsignedJarIsRefusedAndASignedOneIsUsed() throws Exception {
        Path store = home.resolve("keys.p12");
        tool(
                "keytool",
                "-genkeypair",
                "-alias",
                "dev",
                "-keyalg",
                "EC",
                "-dname",
                "CN=dev",
                "-keystore",
                store.toString(),
                "-storepass",
                "secret");
        Path made = Kinds.service("signed", "1.0.0", Authorizer.class, SecretTopics.class)
                .writeTo(home.resolve("made.jar"));
        try (GregorProcess node = GregorProcess.start(
                home, "gregor.plugin.truststore.location=" + store, "gregor.plugin.truststore.password=secret")) {
            Path there = home.resolve("deploy/guard.jar");
            Files.copy(made, there);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(node.shell("plugin:list").output())
                            .contains("guard.jar")
                            .contains("it is not signed: entry=")
                            .contains("jarsigner"));
            assertThat(Kinds.described(node, "secret-1")).isEqualTo("UnknownTopicOrPartitionException");

            tool("jarsigner", "-keystore", store.toString(), "-storepass", "secret", made.toString(), "dev");
            Files.move(made, there, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.described(node, "secret-1"))
                    .isEqualTo("TopicAuthorizationException"));
            assertThat(node.logText()).doesNotContain("storepass").doesNotContain("password=secret");
        }
    }

    @Test
    void aStoreThatCannotBeUsedStopsTheStart() throws Exception {
        try (GregorProcess node = GregorProcess.launch(home, "gregor.plugin.truststore.location=/nowhere/keys.p12")) {
            assertThat(node.awaitExit()).isEqualTo(1);
            assertThat(node.consoleText())
                    .contains("gregor.plugin.truststore.location=/nowhere/keys.p12 cannot be used as a store");
        }
    }

    private static void tool(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", name).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }
}
