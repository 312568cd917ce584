package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.node.SecretKeys;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a change of the journal can be taken back, how, or why not. Owned by the reconfiguration thread. */
final class TakeBack {
    private final ChangeJournal journal;
    private final StoredValues stored;
    private final long number;
    private final @Nullable JournalLine line;

    /**
     * Looks for the change.
     *
     * @param number of the change, -1 for the last one of settings that was applied and not taken back
     */
    TakeBack(ChangeJournal journal, StoredValues stored, long number) {
        this.journal = journal;
        this.stored = stored;
        this.number = number;
        this.line = (number < 0 ? journal.lastApplied() : journal.line(number)).orElse(null);
    }

    /** The change, null if there is none. */
    @Nullable
    JournalLine line() {
        return line;
    }

    /** What takes this change back. */
    static Proposal proposal(JournalEntry entry, String who, String door, boolean isDryRun) {
        Map<String, @Nullable String> values = new TreeMap<>();
        entry.after().keySet().forEach(key -> values.put(key, null));
        values.putAll(entry.before());
        return new Proposal(who, door, entry.scope(), values, isDryRun);
    }

    /** Why it cannot be taken back, null if it can. */
    @Nullable
    String refusal() {
        if (line == null) {
            return number < 0
                    ? "there is no change of settings to take back"
                    : "change " + number + " is not in the journal: the last one is " + (journal.nextNumber() - 1);
        }
        JournalEntry entry = line.entry();
        String change = "change " + entry.number();
        if (!entry.isOfSettings()) {
            return change
                    + " is not one of settings, it cannot be taken back from here: plugin:remove takes a plugin out,"
                    + " its former jar dropped into deploy/ brings the former version back";
        }
        if (!line.isApplied()) {
            return change + " does not count: " + entry.result();
        }
        long by = journal.takenBackBy(line);
        if (by >= 0) {
            return change + " is taken back already, by change " + by;
        }
        return refusal(entry, change);
    }

    private @Nullable String refusal(JournalEntry entry, String change) {
        Set<String> keys = new TreeSet<>(entry.before().keySet());
        keys.addAll(entry.after().keySet());
        for (String key : keys) {
            if (SecretKeys.isSecret(key)) {
                return change + " has a secret, which the journal does not keep: set " + key + " yourself";
            }
            String then = entry.after().get(key);
            String now = stored.of(entry.scope()).get(key);
            if (!Objects.equals(now, then)) {
                return change + " cannot be taken back: " + key + " was changed since, from " + shown(then) + " to "
                        + shown(now) + ", set it yourself";
            }
        }
        return null;
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
