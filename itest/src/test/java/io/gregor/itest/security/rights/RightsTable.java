package io.gregor.itest.security.rights;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code docs/security.md} shows of the answers to somebody without rights: the errors of the newest versions. */
final class RightsTable {
    /** Its first lines. */
    static final String HEAD =
            "| key | API | Kafka, broker | here | Kafka, controller | here |\n|---|---|---|---|---|---|\n";

    private static final Pattern ERROR = Pattern.compile("rrorCode=([A-Z_]+)");

    private RightsTable() {}

    static String of(List<Row> kafka, List<Row> here) {
        Map<Integer, String> names = new TreeMap<>();
        kafka.forEach(row -> names.put(row.key(), row.api()));
        StringBuilder table = new StringBuilder(HEAD);
        names.forEach((key, name) -> {
            table.append("| ").append(key).append(" | ").append(name);
            for (String listener : List.of("broker", "controller")) {
                String theirs = errors(kafka, listener, key);
                String ours = errors(here, listener, key);
                table.append(" | ").append(theirs).append(" | ").append(compared(theirs, ours));
            }
            table.append(" |\n");
        });
        return table.toString();
    }

    private static String compared(String theirs, String ours) {
        if (theirs.isEmpty()) {
            return "";
        }
        return ours.isEmpty() ? "not served" : ours.equals(theirs) ? "same" : ours;
    }

    private static String errors(List<Row> rows, String listener, int key) {
        Map<String, Integer> newest = new LinkedHashMap<>();
        List<Row> those = rows.stream()
                .filter(row -> row.user().equals(Question.STRANGER))
                .filter(row -> row.listener().equals(listener) && row.key() == key)
                .toList();
        those.forEach(row -> newest.merge(row.question(), last(row), Math::max));
        Set<String> errors = new LinkedHashSet<>();
        those.stream()
                .filter(row -> last(row) == newest.get(row.question()))
                .sorted(Comparator.comparing(Row::about))
                .forEach(row -> errors.addAll(errors(row.answer())));
        return String.join(", ", errors);
    }

    private static int last(Row row) {
        return Integer.parseInt(row.versions().substring(row.versions().indexOf('-') + 1));
    }

    private static Set<String> errors(String answer) {
        Set<String> errors = new LinkedHashSet<>();
        Matcher matcher = ERROR.matcher(answer);
        while (matcher.find()) {
            errors.add(matcher.group(1));
        }
        if (errors.isEmpty()) {
            errors.add(answer.equals("-") ? "nothing listed" : answer.contains("=") ? "answered" : answer);
        }
        return errors;
    }
}
