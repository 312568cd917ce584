package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a change of the journal can be taken back, and why not. Owned by the reconfiguration thread. */
final class TakeBack {
    private final ChangeJournal journal;
    private final StoredValues stored;

    TakeBack(ChangeJournal journal, StoredValues stored) {
        this.journal = journal;
        this.stored = stored;
    }

    /** The change with this number, or the last one that can be meant. */
    @Nullable
    JournalLine find(long number) {
        Optional<JournalLine> line = number < 0 ? journal.lastApplied() : journal.line(number);
        return line.orElse(null);
    }

    String missing(long number) {
        return number < 0
                ? "there is no change to take back"
                : "change " + number + " is not in the journal, the last one is " + (journal.nextNumber() - 1);
    }

    /** Why it cannot be taken back, null if it can. */
    @Nullable
    String refusal(JournalLine line) {
        JournalEntry entry = line.entry();
        String change = "change " + entry.number();
        if (!line.isApplied()) {
            return change + " was not applied: " + entry.result();
        }
        long by = journal.takenBackBy(line);
        if (by >= 0) {
            return change + " is taken back already, by change " + by;
        }
        Set<String> keys = new TreeSet<>(entry.before().keySet());
        keys.addAll(entry.after().keySet());
        for (String key : keys) {
            if (Settings.isSecret(key)) {
                return change + " has a secret, which the journal does not keep: set " + key + " yourself";
            }
            String now = stored.of(entry.scope()).get(key);
            if (!Objects.equals(now, entry.after().get(key))) {
                return change + " cannot be taken back: " + key + " was changed since, from "
                        + shown(entry.after().get(key)) + " to " + shown(now) + ", set it yourself";
            }
        }
        return null;
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
