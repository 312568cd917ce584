package io.gregor.itest.security.rights;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What questions are about: names of resources that exist, or of some that do not. Immutable.
 *
 * @param names values by what stands for them in questions and answers, as {@code $topic}
 */
record Resources(Map<String, String> names) {
    /** The number of a node. */
    static final String NODE = "$node";

    /** A field's value, with the names of these resources. */
    String named(String value) {
        String named = value;
        for (String name : longestFirst(List.copyOf(names.keySet()))) {
            named = named.replace(name, names.get(name));
        }
        return named;
    }

    /** A text without these names, but with the numbers of nodes, which may stand for something else. */
    String unnamed(String text) {
        String unnamed = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            if (!name.getKey().equals(NODE)) {
                unnamed = unnamed.replace(name.getValue(), name.getKey());
            }
        }
        return unnamed;
    }

    private static List<String> longestFirst(List<String> texts) {
        return texts.stream()
                .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(text -> text))
                .toList();
    }
}
