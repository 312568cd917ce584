package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntaxTest {
    /** Commands as they are written in this bundle. */
    public static final class Samples {
        @Arguments({
            "NAME: what it is called",
            "[PLACE]: where",
            "[--as NAME]: what else it is called",
            "[--set KEY=VALUE]...: settings",
            "[--dry-run]: changes nothing"
        })
        public String make(String... words) {
            return "";
        }

        @Arguments("KEY=VALUE...: what to set")
        public String set(String... words) {
            return "";
        }
    }

    private final Syntax make = Syntax.of(Samples.class, "sample", "make");

    @Test
    void tellsOptionsFromWordsWhereverTheyStand() {
        Words words = make.read("--set", "a=b=c", "x", "--dry-run", "--as=y", "--set", "d=");

        assertThat(words.word(0)).isEqualTo("x");
        assertThat(words.find(1)).isEmpty();
        assertThat(words.value("--as")).contains("y");
        assertThat(words.has("--dry-run")).isTrue();
        assertThat(words.pairs(words.values("--set"))).containsEntry("a", "b=c").containsEntry("d", "");
    }

    @ParameterizedTest
    @CsvSource({
        "x --dryrun, unknown option=--dryrun",
        "x --as, --as needs a value",
        "x --as y --as z, --as is given twice",
        "--dry-run, too few words=0",
        "x y z, too many words=3"
    })
    void refusesWhatDoesNotFitAndShowsWhatDoes(String typed, String reason) {
        assertThatThrownBy(() -> make.read(typed.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason + ", type sample:make NAME [PLACE] [--as NAME] [--set KEY=VALUE]... [--dry-run];"
                        + " help sample:make tells more");
    }

    @Test
    void readsPairsAndNumbers() {
        Words words = Syntax.of(Samples.class, "sample", "set").read("a=1", "b");

        assertThatThrownBy(() -> words.pairs(words.from(0))).hasMessageContaining("b must be KEY=VALUE");
        assertThatThrownBy(() -> words.pairs(List.of("a=1", "a=2"))).hasMessageContaining("given twice");
        assertThat(make.read("7").positive(0)).isEqualTo(7);
        assertThatThrownBy(() -> make.read("0").positive(0)).hasMessageContaining("0 must be a number >= 1");
        assertThatThrownBy(() -> make.read("many").positive(0)).hasMessageContaining("many must be a number >= 1");
    }
}
