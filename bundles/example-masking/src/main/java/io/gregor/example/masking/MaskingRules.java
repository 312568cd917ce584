package io.gregor.example.masking;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.ConfigException;

/**
 * What is masked, as the operator has set it. Immutable.
 *
 * @param topics a regular expression that the whole name of a topic matches
 * @param fields the fields of JSON objects
 */
record MaskingRules(Pattern topics, MaskedField fields) {
    /** All settings begin with this. */
    static final String PREFIX = "example.masking.";

    /** A regular expression; without it all topics are masked. */
    static final String TOPICS = PREFIX + "topics";

    /** Paths with a comma between them, as {@code email,card.number}; without it nothing is masked. */
    static final String FIELDS = PREFIX + "fields";

    static final MaskingRules NONE = new MaskingRules(Pattern.compile(".*"), MaskedField.paths(""));

    /**
     * Reads settings.
     *
     * @throws ConfigException if one of them makes no sense
     */
    static MaskingRules of(Map<String, String> settings) {
        Set<String> unknown = new TreeSet<>(settings.keySet());
        unknown.removeAll(Set.of(TOPICS, FIELDS));
        if (!unknown.isEmpty()) {
            throw new ConfigException(unknown + " are no known keys: there are " + TOPICS + " and " + FIELDS);
        }
        return new MaskingRules(topics(settings.getOrDefault(TOPICS, ".*")), fields(settings.getOrDefault(FIELDS, "")));
    }

    private static Pattern topics(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException wrong) {
            throw new ConfigException(
                    TOPICS + "=" + expression + " must be a regular expression: " + wrong.getDescription());
        }
    }

    private static MaskedField fields(String paths) {
        try {
            return MaskedField.paths(paths);
        } catch (IllegalArgumentException wrong) {
            throw new ConfigException(FIELDS + "=" + paths + " " + wrong.getMessage());
        }
    }

    boolean covers(String topic) {
        return topics.matcher(topic).matches();
    }
}
