package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = new Table("NAME", "BYTES", "STATE");

    @Test
    void alignsTextLeftAndNumbersRight() {
        table.add("kcat", 7, "muted");
        table.add("kafka-python", 1234567L, "not muted");

        assertThat(table.draw())
                .isEqualTo(
                        """
                        NAME            BYTES  STATE
                        kcat                7  muted
                        kafka-python  1234567  not muted""");
    }

    @Test
    void saysThatThereIsNothing() {
        assertThat(table.draw()).isEqualTo("NAME  BYTES  STATE\n(none)");
    }

    @Test
    void keepsRowsThatFitAllFilters() {
        table.add("kcat", 7, "muted");
        table.add("kcat", 8, "not muted");
        table.add("kafka-python", 9, "muted");

        assertThat(table.matching(List.of("name=KCAT", "not")).draw())
                .contains("8")
                .doesNotContain("7", "9");
        assertThat(table.matching(List.of()).draw()).isEqualTo(table.draw());
    }

    @Test
    void namesTheColumnsWhenAFilterKnowsNone() {
        table.add("kcat", 7, "muted");

        assertThatThrownBy(() -> table.matching(List.of("client=kcat")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown column in filter=client=kcat, there are name, bytes, state");
    }

    @Test
    void refusesARowOfAnotherWidth() {
        assertThatThrownBy(() -> table.add("kcat")).hasMessage("cells=1 must be columns=3");
    }
}
