package io.gregor.plugins.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the trials that ended with the node, in the journal as the node finds it at its start. Immutable. */
public final class EndedTrials {
    private static final Pattern STANDING = Pattern.compile("(?:(.*), )?[^,]* on trial \\(\\d+%\\)");

    private EndedTrials() {}

    /**
     * Those of the journal, by what they are called there: what stands there, and what serves without the trial (empty if
     * nothing does).
     *
     * @param entries the journal, last first
     */
    public static Map<String, Ended> in(List<JournalEntry> entries) {
        Set<String> known = new HashSet<>();
        Map<String, Ended> ended = new TreeMap<>();
        for (JournalEntry entry : entries) {
            if (!entry.isOfSettings() && entry.result().startsWith("applied")) {
                entry.before().keySet().stream()
                        .filter(subject -> !entry.after().containsKey(subject))
                        .forEach(known::add);
                entry.after().forEach((subject, standing) -> {
                    Matcher trial = STANDING.matcher(standing);
                    if (known.add(subject) && trial.matches()) {
                        String former = trial.group(1);
                        ended.put(subject, new Ended(standing, former == null ? "" : former));
                    }
                });
            }
        }
        return ended;
    }

    /**
     * A trial that nobody has ended. Immutable.
     *
     * @param standing as the journal has it
     * @param former what served beside it; empty for nothing
     */
    public record Ended(String standing, String former) {}
}
