package io.gregor.shell.internal;

import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an operator wants of the settings, turned into the dynamic values to set and to delete. Owned by the thread that runs
 * the command.
 */
public final class Wish {
    private static final String DOOR = "shell";
    private static final String NONE = "(none)";

    private final Standing standing;
    private final Scope scope;
    private final SortedMap<String, @Nullable String> values = new TreeMap<>();

    /** Wants nothing yet. */
    public Wish(Standing standing, Scope scope) {
        this.standing = standing;
        this.scope = scope;
    }

    /** This value is stored, whatever counts now. */
    public Wish set(String key, String value) {
        values.put(key, value);
        return this;
    }

    /** No value is stored; nothing to do if there is none. */
    public Wish delete(String key) {
        if (standing.stored(scope).containsKey(key)) {
            values.put(key, null);
        }
        return this;
    }

    /** This value counts: what would count without a value of this node's own needs none. */
    public Wish want(String key, String value) {
        if (isSame(standing.without(key).orElse(null), value)) {
            return delete(key);
        }
        return isSame(standing.ofNode().get(key), value) ? this : set(key, value);
    }

    /** Two values are the same if they list the same, in any order. */
    static boolean isSame(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return Objects.equals(one, other);
        }
        return elements(one).equals(elements(other));
    }

    private static Set<String> elements(String value) {
        Set<String> elements = new TreeSet<>();
        for (String element : value.split(",", -1)) {
            elements.add(element.strip());
        }
        return elements;
    }

    /** Whether everything is as it is wanted. */
    public boolean isFulfilled() {
        return values.isEmpty();
    }

    /** What {@code LiveConfig} is asked for. */
    public Proposal proposal(Caller caller, boolean isDryRun) {
        return new Proposal(
                caller.user(), DOOR, scope, Collections.unmodifiableSortedMap(new TreeMap<>(values)), isDryRun);
    }

    /** What changes. */
    public String preview() {
        Table table = new Table("KEY", "CHANGE", "STORED");
        values.forEach((key, value) -> table.add(key, difference(before(key), after(key, value)), stored(value)));
        return table.draw();
    }

    /** Of lists only what comes and goes. */
    static String difference(String before, String after) {
        Set<String> gone = elements(before);
        Set<String> come = elements(after);
        gone.removeAll(elements(after));
        come.removeAll(elements(before));
        boolean isList = before.contains(",") || after.contains(",");
        if (!isList || before.equals(NONE) || after.equals(NONE)) {
            return before + " -> " + after;
        }
        return Stream.concat(
                        gone.stream().map(element -> "-" + element),
                        come.stream().map(element -> "+" + element))
                .collect(Collectors.joining(" "));
    }

    private String before(String key) {
        return shown(
                key,
                scope == Scope.NODE
                        ? standing.value(key).orElse(null)
                        : standing.ofCluster().get(key));
    }

    private String after(String key, @Nullable String value) {
        boolean fallsBack = value == null && scope == Scope.NODE;
        return shown(key, fallsBack ? standing.without(key).orElse(null) : value);
    }

    private static String shown(String key, @Nullable String value) {
        return value == null ? NONE : Standing.shown(key, value);
    }

    private String stored(@Nullable String value) {
        String where = scope == Scope.NODE ? "for this node" : "for all nodes";
        return value == null ? "deleted " + where : "set " + where;
    }

    /** The keys and their new values; null deletes. */
    Map<String, @Nullable String> values() {
        return Collections.unmodifiableMap(values);
    }
}
