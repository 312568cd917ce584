package io.gregor.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartArgumentsTest {
    private static final Path HOME = Path.of("/home");
    private static final Path DISTRIBUTION = Path.of("/dist");

    @Test
    void withoutArgumentsTheDistributionsConfigurationIsUsed() {
        StartArguments arguments = parse();

        assertThat(arguments.config()).isEqualTo(Path.of("/dist/config/server.properties"));
        assertThat(arguments.home()).isEqualTo(HOME);
        assertThat(arguments.overrides()).isEmpty();
    }

    @Test
    void optionsMayComeInAnyOrderAndBothSpellings() {
        StartArguments arguments = parse(
                "--override", "node.id=2", "/etc/g.properties", "--home=/var/g", "--override=listeners=A://:1,B://:2");

        assertThat(arguments.config()).isEqualTo(Path.of("/etc/g.properties"));
        assertThat(arguments.home()).isEqualTo(Path.of("/var/g"));
        assertThat(arguments.overrides()).containsExactly("node.id=2", "listeners=A://:1,B://:2");
    }

    @Test
    void whatMayBeASecretIsNotRepeated() {
        assertThatThrownBy(() -> parse("--override", "ssl.key.password:marker"))
                .hasMessage("--override ssl.key.password[hidden] must be KEY=VALUE");
        assertThatThrownBy(() -> parse("a.properties", "ssl.key.password=marker"))
                .hasMessageStartingWith("argument not understood: ssl.key.password[hidden];");
    }

    @Test
    void anOverrideMayBeEmptyButNeedsAKey() {
        assertThat(parse("--override", "advertised.listeners=").overrides()).containsExactly("advertised.listeners=");

        assertThatThrownBy(() -> parse("--override", "=1")).hasMessage("--override [hidden] must be KEY=VALUE");
        assertThatThrownBy(() -> parse("--override", "node.id")).hasMessageContaining("KEY=VALUE");
    }

    @Test
    void whatIsNotUnderstoodIsNamed() {
        assertThatThrownBy(() -> parse("--verbose")).hasMessageContaining("--verbose");
        assertThatThrownBy(() -> parse("a.properties", "b.properties")).hasMessageContaining("b.properties");
        assertThatThrownBy(() -> parse("--home")).hasMessageContaining("--home needs a value");
    }

    private static StartArguments parse(String... arguments) {
        return StartArguments.parse(List.of(arguments), HOME, DISTRIBUTION);
    }
}
