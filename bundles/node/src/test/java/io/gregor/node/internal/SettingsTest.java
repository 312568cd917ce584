package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    Path home;

    @Test
    void lastOverrideOfAKeyWinsOverTheFile() {
        Settings settings = NodeFile.of(home, "num.io.threads=8", "log.dirs=a\\", "  ,b")
                .with("num.io.threads=9", "num.io.threads = 10")
                .settings();

        assertThat(settings.values()).containsEntry("num.io.threads", "10").containsEntry("log.dirs", "a,b");
        assertThat(settings.origin("num.io.threads")).isEqualTo("--override");
        assertThat(settings.origin("log.dirs"))
                .isEqualTo(home.resolve("server.properties").toString());
        assertThat(settings.origin("num.partitions")).isEqualTo("default");
    }

    @Test
    void refusesAnOverrideWithoutAValue() {
        assertThatThrownBy(() -> NodeFile.of(home).with("num.io.threads").settings())
                .isInstanceOf(StartRefused.class)
                .hasMessage("--override num.io.threads must be key=value, for example --override num.io.threads=8");
    }

    @Test
    void hidesWhatIsTypedBehindAKeyWithoutEquals() {
        assertThatThrownBy(() ->
                        NodeFile.of(home).with("ssl.key.password:marker-1234").settings())
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("--override ssl.key.password[hidden] must be key=value");
    }

    @Test
    void refusesAFileThatIsNotThere() {
        Path file = home.resolve("absent.properties");

        assertThatThrownBy(() -> Settings.read(file, List.of()))
                .isInstanceOf(StartRefused.class)
                .hasMessage("config file not found: file=" + file + ", name an existing properties file");
    }

    @Test
    void hidesSecretsInMessages() {
        Settings settings = NodeFile.of(home, "ssl.key.password=x", "my.plugin.secret=y", "my.plugin.size=z")
                .settings();

        assertThat(settings.assignment("ssl.key.password", null)).isEqualTo("ssl.key.password=[hidden]");
        assertThat(settings.assignment("my.plugin.secret", null)).isEqualTo("my.plugin.secret=[hidden]");
        assertThat(settings.assignment("my.plugin.size", null)).isEqualTo("my.plugin.size=z");
    }
}
