package io.gregor.shell.internal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.felix.service.command.CommandSession;

/** The names of the commands that are there. Immutable. */
public final class CommandNames {
    private static final String VARIABLE = ".commands";
    private static final int FARTHEST = 3;

    private final SortedSet<String> names;

    CommandNames(Collection<String> names) {
        this.names = new TreeSet<>(names);
    }

    /** Those that a session can run, as {@code scope:function}. */
    public static CommandNames of(CommandSession session) {
        SortedSet<String> names = new TreeSet<>();
        if (session.get(VARIABLE) instanceof Collection<?> known) {
            known.forEach(name -> names.add(String.valueOf(name)));
        }
        return new CommandNames(names);
    }

    /** The names with this beginning, in order. */
    public List<String> startingWith(String prefix) {
        return names.stream().filter(name -> name.startsWith(prefix)).toList();
    }

    /** What may have been meant: a name with few letters changed, or one with the same scope or function. */
    public Optional<String> nearest(String typed) {
        Optional<String> similar = names.stream()
                .filter(name -> distance(typed, name) <= FARTHEST)
                .min(Comparator.comparingInt((String name) -> distance(typed, name)));
        return similar.or(() -> names.stream()
                .filter(name -> shares(typed, name))
                .min(Comparator.comparingInt((String name) -> distance(typed, name))));
    }

    private static boolean shares(String typed, String name) {
        List<String> parts = List.of(name.split(":", 2));
        return List.of(typed.split(":", 2)).stream()
                .anyMatch(word -> !word.isEmpty()
                        && parts.stream().anyMatch(part -> part.equals(word) || (part + "s").equals(word)));
    }

    /** How many letters have to be added, left out or changed. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
