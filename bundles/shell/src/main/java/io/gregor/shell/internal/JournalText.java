package io.gregor.shell.internal;

import io.gregor.internal.change.LiveConfig.JournalEntry;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Draws the changes so far. Immutable.
 *
 * @param entries the changes, last first
 */
public record JournalText(List<JournalEntry> entries) {
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final String NONE = "-";
    private static final int LONGEST_RESULT = 160;

    /** All that fit the filters, one a line. */
    public String list(List<String> filters) {
        Table table = new Table("CHANGE", "WHEN", "WHO", "DOOR", "SCOPE", "KEYS", "RESULT");
        for (JournalEntry entry : entries) {
            table.add(
                    entry.number(),
                    WHEN.format(Instant.ofEpochMilli(entry.timeMs())),
                    entry.who(),
                    entry.door(),
                    scope(entry),
                    String.join(" ", keys(entry)),
                    shortened(entry.result()));
        }
        return table.matching(filters).draw();
    }

    private static String shortened(String result) {
        return result.length() <= LONGEST_RESULT ? result : result.substring(0, LONGEST_RESULT) + "…";
    }

    /**
     * One change.
     *
     * @throws IllegalArgumentException if there is none with this number
     */
    public String details(long number) {
        JournalEntry entry = find(number)
                .orElseThrow(() -> new IllegalArgumentException("no change=" + number + ", change:list shows them"));
        return String.format(
                "change  %d%nwhen    %s%nwho     %s%ndoor    %s%nscope   %s%nresult  %s%n%n%s",
                number,
                WHEN.format(Instant.ofEpochMilli(entry.timeMs())),
                entry.who(),
                entry.door(),
                scope(entry),
                entry.result(),
                values(number));
    }

    /** The stored values before and after a change, of plugins their versions; empty if there is none with this number. */
    public String values(long number) {
        return find(number)
                .map(entry -> table(entry, entry.before(), entry.after()))
                .orElse("");
    }

    /** The same the other way round, of a change that is to be taken back; -1 is the last one of settings that counts. */
    public String reversed(long number) {
        return entries.stream()
                .filter(entry -> number < 0 ? isLast(entry) : entry.number() == number)
                .findFirst()
                .map(entry ->
                        "takes back change " + entry.number() + "\n" + table(entry, entry.after(), entry.before()))
                .orElse("");
    }

    private static boolean isLast(JournalEntry entry) {
        String result = entry.result();
        return entry.isOfSettings()
                && result.startsWith("applied")
                && !result.contains("takes back")
                && !result.contains("taken back by");
    }

    private static String table(JournalEntry entry, Map<String, String> before, Map<String, String> after) {
        Table table = new Table(entry.isOfSettings() ? "KEY" : "SUBJECT", "BEFORE", "AFTER");
        for (String key : keys(entry)) {
            table.add(key, before.getOrDefault(key, NONE), after.getOrDefault(key, NONE));
        }
        return table.draw();
    }

    private Optional<JournalEntry> find(long number) {
        return entries.stream().filter(entry -> entry.number() == number).findFirst();
    }

    private static SortedSet<String> keys(JournalEntry entry) {
        SortedSet<String> keys = new TreeSet<>(entry.before().keySet());
        keys.addAll(entry.after().keySet());
        return keys;
    }

    private static String scope(JournalEntry entry) {
        return entry.scope().name().toLowerCase(Locale.ROOT);
    }
}
