package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.plugin.Plugins.Terms;
import io.gregor.shell.PluginCommands;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrialTermsTest {
    private static final Syntax TRY = Syntax.of(PluginCommands.class, "plugin", "try");

    @Test
    void withoutAWordItIsATenthOfTheConnectionsUntilSomebodyEndsIt() {
        assertThat(terms("/a.jar")).isEqualTo(new Terms(10, Duration.ZERO, 1, 2));
    }

    @Test
    void aTrialForATimeIsOneOfAllConnectionsIfNoShareIsSaid() {
        assertThat(terms("/a.jar", "--for", "10m")).isEqualTo(new Terms(100, Duration.ofMinutes(10), 1, 2));
        assertThat(terms("/a.jar", "--for=90s", "--share", "30"))
                .isEqualTo(new Terms(30, Duration.ofSeconds(90), 1, 2));
    }

    @Test
    void limitsMayHaveFractions() {
        assertThat(terms("/a.jar", "--max-errors", "0.5%", "--max-latency", "1.25x"))
                .isEqualTo(new Terms(10, Duration.ZERO, 0.5, 1.25));
    }

    @ParameterizedTest
    @CsvSource({
        "--share, 0%, must be a whole number from 1% to 100%",
        "--share, 101, must be a whole number from 1% to 100%",
        "--share, 7.5%, must be a whole number from 1% to 100%",
        "--max-errors, -1%, must be a number from 0% to 100%",
        "--max-latency, 0.5x, must be a number from 1x to 1000x",
        "--max-latency, much, must be a number from 1x to 1000x",
        "--for, 0s, must be a length of time above 0",
        "--for, 10, must be a length of time above 0"
    })
    void whatIsOutOfRangeIsRefusedWithTheRange(String option, String value, String reason) {
        assertThatThrownBy(() -> terms("/a.jar", option, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(option + "=" + value + " " + reason);
    }

    private static Terms terms(String... typed) {
        return TrialTerms.of(TRY.read(typed));
    }
}
