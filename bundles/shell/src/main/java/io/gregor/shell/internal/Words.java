package io.gregor.shell.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The words of a command, options told apart from the others. Owned by the thread that runs the command. */
public final class Words {
    private final String command;
    private final List<String> plain = new ArrayList<>();
    private final Map<String, List<String>> options = new HashMap<>();

    Words(String command) {
        this.command = command;
    }

    void add(String word) {
        plain.add(word);
    }

    void add(String option, String value) {
        options.computeIfAbsent(option, name -> new ArrayList<>()).add(value);
    }

    int count() {
        return plain.size();
    }

    /** The word at this place, which the syntax asks for. */
    public String word(int place) {
        return plain.get(place);
    }

    /** The word at this place, if it was typed. */
    public Optional<String> find(int place) {
        return place < plain.size() ? Optional.of(plain.get(place)) : Optional.empty();
    }

    /** The words from this place on. */
    public List<String> from(int place) {
        return place < plain.size() ? Collections.unmodifiableList(plain.subList(place, plain.size())) : List.of();
    }

    /** Whether a flag was given. */
    public boolean has(String flag) {
        return options.containsKey(flag);
    }

    /** The value of an option that may be given once. */
    public Optional<String> value(String option) {
        return values(option).stream().findFirst();
    }

    /** All values of an option, in order. */
    public List<String> values(String option) {
        return options.getOrDefault(option, List.of());
    }

    /**
     * Words of the form {@code key=value}, in order.
     *
     * @throws IllegalArgumentException if one is not of this form, or a key comes twice
     */
    public Map<String, String> pairs(List<String> words) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(word + " must be KEY=VALUE, help " + command + " shows an example");
            }
            String key = word.substring(0, equals);
            if (pairs.put(key, word.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("key=" + key + " is given twice, give it once");
            }
        }
        return pairs;
    }

    /**
     * A word that is a number of at least 1.
     *
     * @throws IllegalArgumentException if it is not
     */
    public int positive(int place) {
        String word = word(place);
        try {
            int number = Integer.parseInt(word);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw notPositive(word);
        }
        throw notPositive(word);
    }

    private IllegalArgumentException notPositive(String word) {
        return new IllegalArgumentException(word + " must be a number >= 1, help " + command + " shows an example");
    }
}
