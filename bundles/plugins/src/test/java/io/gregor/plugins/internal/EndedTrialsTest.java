package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.plugins.internal.EndedTrials.Ended;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EndedTrialsTest {
    private static final Map<String, String> FORMER = Map.of("plugin a", "1.0.0");
    private static final Map<String, String> TRIAL = Map.of("plugin a", "1.0.0, 1.1.0 on trial (30%)");

    @Test
    void aTrialThatNothingHasEndedIsOverAndTheFormerServes() {
        assertThat(EndedTrials.in(List.of(entry(FORMER, TRIAL))))
                .isEqualTo(Map.of("plugin a", new Ended("1.0.0, 1.1.0 on trial (30%)", "1.0.0")));
    }

    @Test
    void oneOfANewPluginLeavesNothing() {
        assertThat(EndedTrials.in(List.of(entry(Map.of(), Map.of("plugin b", "2.0.0 on trial (100%)")))))
                .isEqualTo(Map.of("plugin b", new Ended("2.0.0 on trial (100%)", "")));
    }

    @Test
    void oneThatWasTakenOutKeptOrRemovedIsNotEndedAgain() {
        JournalEntry begun = entry(FORMER, TRIAL);

        assertThat(EndedTrials.in(List.of(entry(TRIAL, FORMER), begun))).isEmpty();
        assertThat(EndedTrials.in(List.of(entry(TRIAL, Map.of("plugin a", "1.1.0")), begun)))
                .isEmpty();
        assertThat(EndedTrials.in(List.of(entry(TRIAL, Map.of()), begun))).isEmpty();
    }

    @Test
    void settingsAndRefusalsSayNothing() {
        JournalEntry setting = new JournalEntry(3, 0, "", "shell", Scope.NODE, TRIAL, FORMER, "applied", true);
        JournalEntry refused = new JournalEntry(2, 0, "", "deploy", Scope.NODE, FORMER, FORMER, "refused: x", false);

        assertThat(EndedTrials.in(List.of(setting, refused, entry(FORMER, TRIAL))))
                .containsOnlyKeys("plugin a");
    }

    private static JournalEntry entry(Map<String, String> before, Map<String, String> after) {
        return new JournalEntry(1, 0, "jane", "shell", Scope.NODE, before, after, "applied", false);
    }
}
