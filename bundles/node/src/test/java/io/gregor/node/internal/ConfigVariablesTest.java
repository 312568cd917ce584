package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigVariablesTest {
    private static final String SECRET = "hidden-in-a-file";

    @TempDir
    Path home;

    private Path secrets;
    private NodeFile file;

    @BeforeEach
    void writeSecrets() throws IOException {
        secrets = home.resolve("secrets.properties");
        Files.writeString(secrets, "store=" + SECRET + "\nthreads=11\nother=${file:/etc/passwd:x}\n");
        Files.writeString(home.resolve("idle"), "1234");
        file = NodeFile.combined(home)
                .with(
                        "config.providers=file,env,directory",
                        "config.providers.file.class=" + FileConfigProvider.class.getName(),
                        "config.providers.env.class=" + EnvVarConfigProvider.class.getName(),
                        "config.providers.directory.class=" + DirectoryConfigProvider.class.getName());
    }

    @Test
    void whatStandsElsewhereCounts() {
        NodeConfig config = read(
                "ssl.keystore.password=${file:" + secrets + ":store}",
                "num.io.threads=${file:" + secrets + ":threads}",
                "connections.max.idle.ms=${directory:" + home + ":idle}",
                "log.dirs=data-${env:HOME}",
                "plugin.of.somebody=a ${file:" + secrets + ":threads} b");

        assertThat(config.values().getPassword("ssl.keystore.password")).isEqualTo(new Password(SECRET));
        assertThat(config.values().numIoThreads()).isEqualTo(11);
        assertThat(config.values().connectionsMaxIdleMs()).isEqualTo(1234);
        assertThat(config.logDirs().get(0))
                .hasToString(home.resolve("data-" + System.getenv("HOME"))
                        .normalize()
                        .toString());
        assertThat(config.values().originals()).containsEntry("plugin.of.somebody", "a 11 b");
        assertThat(config.isProvided("num.io.threads")).isTrue();
        assertThat(config.isProvided("node.id")).isFalse();
    }

    @Test
    void whatIsFoundIsNotLookedThroughForMore() {
        assertThat(read("plugin.value=${file:" + secrets + ":other}").values().originals())
                .containsEntry("plugin.value", "${file:/etc/passwd:x}");
    }

    @Test
    void refusalsShowWhatWasTypedAndNotWhatWasFound() {
        assertThatThrownBy(() -> read("num.io.threads=${file:" + secrets + ":store}"))
                .hasMessage("num.io.threads=${file:" + secrets + ":store} must be a whole number, [1,...] (--override)")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void aProviderThatIsNotThereStopsTheStart() {
        assertThatThrownBy(() -> read("ssl.key.password=${vault:x:y}"))
                .isInstanceOf(StartRefused.class)
                .hasMessage("ssl.key.password=${vault:x:y} names no provider of config.providers=file,env,directory:"
                        + " add it there, with config.providers.vault.class (--override)");
    }

    @Test
    void aFileOrKeyThatIsNotThereStopsTheStart() {
        assertThatThrownBy(() -> read("ssl.key.password=${file:/no/such:y}"))
                .hasMessageStartingWith("ssl.key.password=${file:/no/such:y} cannot be looked up: ")
                .hasMessageContaining("/no/such");
        assertThatThrownBy(() -> read("ssl.key.password=${file:" + secrets + ":y}"))
                .hasMessage("ssl.key.password=${file:" + secrets + ":y} leads to nothing: there must be y in " + secrets
                        + ", within what config.providers.file.param.* allows (--override)");
        assertThatThrownBy(() -> read("ssl.key.password=${env:NO_SUCH_VARIABLE}"))
                .hasMessageStartingWith(
                        "ssl.key.password=${env:NO_SUCH_VARIABLE} leads to nothing: there must be NO_SUCH_VARIABLE,");
        assertThatThrownBy(() -> read("sasl.jaas.config=x password=\"" + SECRET + "\" ${env:NO_SUCH_VARIABLE};"))
                .hasMessageStartingWith("sasl.jaas.config=[hidden] has ${env:NO_SUCH_VARIABLE}, which leads to nothing")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void aProviderWithoutItsClassStopsTheStart() {
        assertThatThrownBy(() -> NodeFile.combined(home)
                        .with("config.providers=file")
                        .settings()
                        .provided())
                .hasMessageStartingWith(
                        "config.providers.file.class is not set: it must be the class of the provider file");
        assertThatThrownBy(() -> read("config.providers.file.class=no.such.Provider"))
                .hasMessageStartingWith("config.providers.file.class=no.such.Provider must name a class");
    }

    @Test
    void whatLooksTheSameIsLeftAloneInKeysOfPlugins() {
        assertThat(read("plugin.pattern=${vault:x}").values().originals())
                .containsEntry("plugin.pattern", "${vault:x}");
    }

    @Test
    void dynamicValuesMayStandElsewhereAndAreLookedUpWhenTheyAreSet() throws IOException {
        LiveRig rig = new LiveRig(home, file);
        FakePart threads = new FakePart("num.io.threads");
        rig.reconfiguration.add(threads);
        rig.seen(StoredValues.NONE);
        String assignment = "num.io.threads=${file:" + secrets + ":threads}";

        rig.change(Scope.NODE, assignment);
        Files.writeString(secrets, "threads=12");
        rig.change(Scope.NODE, assignment);
        Files.writeString(secrets, "");
        Outcome refused = rig.propose(Scope.NODE, assignment).join();

        assertThat(threads.has).containsEntry("num.io.threads", "12");
        assertThat(refused.error().message()).startsWith(assignment + " leads to nothing");
        assertThat(rig.values.stored().node()).isEqualTo(Map.of("num.io.threads", assignment.substring(15)));
        assertThat(rig.journal.entries().get(0).after())
                .isEqualTo(rig.values.stored().node());
    }

    private NodeConfig read(String... assignments) {
        return ConfigReading.read(file.with(assignments).settings().provided(), home);
    }
}
