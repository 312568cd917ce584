package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that stand elsewhere are found there, and shown nowhere; those that lead nowhere end the start in one line. */
class ConfigProvidersIT {
    private static final ConfigResource THIS_NODE = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final String RACK = "rack-7";

    @TempDir
    private Path home;

    private Path secrets;
    private Path directory;

    @BeforeEach
    void write() throws Exception {
        directory = Files.createDirectories(home.resolve("secrets"));
        secrets = directory.resolve("secrets.properties");
        Files.writeString(secrets, "keystore=" + TestKey.PASSWORD + "\nrack=" + RACK + "\n");
        Files.writeString(directory.resolve("key"), TestKey.PASSWORD);
    }

    @Test
    void valuesOfFilesAndTheEnvironmentCountAndAreNotShown() throws Exception {
        try (SecuredNode node = SecuredNode.start(
                        home.resolve("node"),
                        with(
                                "ssl.keystore.password=${file:" + secrets + ":keystore}",
                                "ssl.key.password=${directory:" + directory + ":key}",
                                "broker.rack=${file:" + secrets + ":rack}",
                                "listener.name.ssl.ssl.truststore.location=${env:JAVA_HOME}/lib/security/cacerts",
                                "listener.name.ssl.ssl.truststore.type=JKS",
                                "listener.name.ssl.ssl.truststore.password=changeit"));
                Admin tls = Admin.create(node.clients(SecurityProtocol.SSL))) {
            assertThat(tls.describeCluster().nodes().get())
                    .singleElement()
                    .satisfies(broker -> assertThat(broker.rack()).isEqualTo(RACK));
            Config described =
                    tls.describeConfigs(List.of(THIS_NODE)).all().get().get(THIS_NODE);
            assertThat(List.of("ssl.keystore.password", "ssl.key.password", "broker.rack"))
                    .map(described::get)
                    .allSatisfy(entry -> {
                        assertThat(entry.isSensitive()).isTrue();
                        assertThat(entry.value()).isNull();
                    });

            tls.incrementalAlterConfigs(Map.of(
                            THIS_NODE,
                            List.of(new AlterConfigOp(
                                    new ConfigEntry(
                                            "listener.name.ssl.ssl.key.password", "${file:" + secrets + ":keystore}"),
                                    AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            assertThat(ShellSocket.call(node.process().home(), "config:show").output())
                    .doesNotContain(TestKey.PASSWORD);
            assertThat(ShellSocket.call(node.process().home(), "change:list").output())
                    .contains("listener.name.ssl.ssl.key.password")
                    .doesNotContain(TestKey.PASSWORD);
            assertThat(node.process().logText() + node.process().consoleText()).doesNotContain(TestKey.PASSWORD);
        }
    }

    @Test
    void whatLeadsNowhereEndsTheStartInOneLine() {
        String missingFile = "ssl.keystore.password=${file:" + directory + "/none.properties:keystore}";
        String missingKey = "ssl.keystore.password=${file:" + secrets + ":none}";
        String unknownProvider = "broker.rack=${vault:secret/rack:rack}";
        try (GregorProcess first = launch("first", missingFile);
                GregorProcess second = launch("second", missingKey);
                GregorProcess third = launch("third", unknownProvider)) {
            assertRefused(
                    first, missingFile + " leads to nothing: there must be keystore in " + directory + "/none.prop");
            assertRefused(second, missingKey + " leads to nothing: there must be none in " + secrets);
            assertRefused(
                    third, unknownProvider + " names no provider of config.providers=", "config.providers.vault.class");
        }
    }

    private GregorProcess launch(String name, String override) {
        return GregorProcess.launch(home.resolve(name), with(override));
    }

    private static void assertRefused(GregorProcess node, String... says) {
        assertThat(node.awaitExit()).isEqualTo(1);
        assertThat(node.consoleText().lines().filter(line -> line.contains(says[0])))
                .as(node.consoleText())
                .singleElement()
                .asString()
                .contains(says);
        assertThat(node.consoleText() + node.logText()).doesNotContain("\tat ").doesNotContain(TestKey.PASSWORD);
    }

    private String[] with(String... overrides) {
        String provider = "org.apache.kafka.common.config.provider.";
        List<String> all = new ArrayList<>(List.of(
                "config.providers=file,env,directory",
                "config.providers.file.class=" + provider + "FileConfigProvider",
                "config.providers.file.param.allowed.paths=" + directory,
                "config.providers.env.class=" + provider + "EnvVarConfigProvider",
                "config.providers.directory.class=" + provider + "DirectoryConfigProvider"));
        all.addAll(List.of(overrides));
        return all.toArray(String[]::new);
    }
}
