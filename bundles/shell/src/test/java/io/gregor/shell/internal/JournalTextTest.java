package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Scope;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JournalTextTest {
    private final JournalText journal = new JournalText(List.of(
            entry(4, Map.of(), Map.of("a", "2"), "refused: a=2 must be 1"),
            entry(3, Map.of(), Map.of("a", "1"), "applied; takes back 2"),
            entry(2, Map.of("a", "1"), Map.of(), "applied; taken back by 3"),
            entry(1, Map.of(), Map.of("a", "1"), "applied")));

    @Test
    void showsStoredValuesBeforeAndAfter() {
        assertThat(journal.values(1)).isEqualTo("KEY  BEFORE  AFTER\na    -       1");
        assertThat(journal.values(2)).isEqualTo("KEY  BEFORE  AFTER\na    1       -");
        assertThat(journal.details(1)).contains("who     jane").endsWith("a    -       1");
    }

    @Test
    void showsWhatTakingAChangeBackWouldDo() {
        assertThat(journal.reversed(2)).isEqualTo("takes back change 2\nKEY  BEFORE  AFTER\na    -       1");
        assertThat(journal.reversed(-1)).startsWith("takes back change 1\n");
    }

    @Test
    void listsThoseThatFit() {
        assertThat(journal.list(List.of("result~refused")))
                .contains("a=2 must be 1")
                .doesNotContain("applied");
        assertThatThrownBy(() -> journal.details(9)).hasMessage("no change=9, change:list shows them");
    }

    @Test
    void aChangeOfAPluginHasVersionsAndIsNotTheLastOneOfSettings() {
        JournalText text = new JournalText(List.of(
                new JournalEntry(
                        5,
                        0,
                        "",
                        "deploy",
                        Scope.NODE,
                        Map.of("plugin a", "1.0"),
                        Map.of("plugin a", "1.1"),
                        "applied",
                        false),
                entry(4, Map.of(), Map.of("a", "1"), "applied")));

        assertThat(text.details(5)).endsWith("SUBJECT   BEFORE  AFTER\nplugin a  1.0     1.1");
        assertThat(text.reversed(-1)).startsWith("takes back change 4\n");
    }

    private static JournalEntry entry(
            long number, Map<String, String> before, Map<String, String> after, String result) {
        return new JournalEntry(number, 0, "jane", "shell", Scope.NODE, before, after, result, true);
    }
}
