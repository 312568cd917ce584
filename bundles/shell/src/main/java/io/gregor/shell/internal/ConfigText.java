package io.gregor.shell.internal;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Draws settings: the value that counts, where it comes from, and what is stored but does not count. Immutable.
 *
 * @param standing the settings as they stand
 * @param notApplied stored keys that do not count, with the reason
 */
public record ConfigText(Standing standing, Map<String, String> notApplied) {
    private static final String NONE = "-";

    /** All keys that are set somewhere. */
    public String all() {
        return table(standing.setKeys());
    }

    /**
     * One key with all it is told by, or, if there is none of this name, those with this text in their names.
     *
     * @throws IllegalArgumentException if there are none
     */
    public String some(String text) {
        SortedSet<String> keys = new TreeSet<>(standing.keys());
        if (keys.contains(text)) {
            return details(text);
        }
        keys.removeIf(key -> !key.contains(text));
        if (keys.isEmpty()) {
            throw new IllegalArgumentException(
                    "no key=" + text + ", and none with this in its name: config:show lists those that are set");
        }
        return table(keys);
    }

    private String table(SortedSet<String> keys) {
        Table table = new Table("KEY", "VALUE", "FROM", "NOT APPLIED");
        for (String key : keys) {
            table.add(key, shown(key, standing.value(key)), standing.origin(key), note(key));
        }
        return table.draw();
    }

    private String note(String key) {
        String reason = notApplied.get(key);
        return reason == null ? "" : reason;
    }

    private String details(String key) {
        StringBuilder out = new StringBuilder();
        line(out, "key", key);
        line(out, "value", shown(key, standing.value(key)));
        line(out, "from", standing.origin(key));
        line(out, "this node", shown(key, Optional.ofNullable(standing.ofNode().get(key))));
        line(
                out,
                "all nodes",
                shown(key, Optional.ofNullable(standing.ofCluster().get(key))));
        line(out, "at start", shown(key, standing.fixedValue(key)));
        if (notApplied.containsKey(key)) {
            line(out, "not applied", note(key));
        }
        String about = standing.documentation(key);
        if (!about.isEmpty()) {
            line(out, "about", about.replaceAll("<[^>]+>", ""));
        }
        return out.toString().stripTrailing();
    }

    private static String shown(String key, Optional<String> value) {
        return value.map(text -> Standing.shown(key, text)).orElse(NONE);
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append(String.format("%-11s  %s%n", name, value));
    }
}
