package io.gregor.node.internal;

import io.gregor.internal.node.GregorConfigs;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Immutable. Which keys there are: Kafka's and Gregor's own. A key that is none of them and looks like a slip of the
 * finger, or stands in Gregor's namespace, stops the start; any other may belong to a plugin and is only named in the log.
 */
final class KnownKeys {
    /** Kafka's definition of a node's configuration with Gregor's own keys beside it. */
    static final ConfigDef DEFINITION = GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF));

    private static final Logger LOGGER = LoggerFactory.getLogger(KnownKeys.class);
    private static final String OWN_NAMESPACE = "gregor.";
    private static final Set<String> READ_ELSEWHERE = Set.of(
            "metrics.jmx.include",
            "metrics.jmx.exclude",
            StandardAuthorizer.SUPER_USERS_CONFIG,
            StandardAuthorizer.ALLOW_EVERYONE_IF_NO_ACL_IS_FOUND_CONFIG);
    private static final List<String> OTHERS_NAMESPACES =
            List.of("metrics.context.", "config.providers.", "rsm.config.", "rlmm.config.");
    private static final Pattern PLUGIN_PREFIX = Pattern.compile("([a-z0-9_-]+\\.)+");
    private static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.([^.]+)\\.(.+)");

    private KnownKeys() {}

    /** Refuses mistyped keys. */
    static void check(Settings settings) {
        for (String key : unknown(settings)) {
            refuseMistyped(settings, key);
        }
    }

    /** Names the unknown keys in the log. */
    static void warn(Settings settings) {
        for (String key : unknown(settings)) {
            String topicSynonym = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.get(key);
            if (topicSynonym == null) {
                LOGGER.warn(
                        "unknown key is ignored unless a plugin owns it: key={} file={}", key, settings.origin(key));
            } else {
                LOGGER.warn(
                        "key of a topic is ignored here: key={} file={}, the default for all topics is {}",
                        key,
                        settings.origin(key),
                        topicSynonym);
            }
        }
    }

    private static Set<String> unknown(Settings settings) {
        return settings.keys().stream().filter(key -> !isKnown(key)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The listener of a key {@code listener.name.<listener>.<key>}, as it is written there. */
    static Optional<String> listener(String key) {
        Matcher listener = OF_LISTENER.matcher(key);
        return listener.matches() ? Optional.of(listener.group(1)) : Optional.empty();
    }

    /** The key without {@code listener.name.<listener>.}, as Kafka's definition has it. */
    static String withoutListener(String key) {
        Matcher listener = OF_LISTENER.matcher(key);
        return listener.matches() ? listener.group(2) : key;
    }

    /** Whether it is a key of Kafka's or Gregor's definition, maybe of one listener, or of a part that reads it elsewhere. */
    static boolean isKnown(String key) {
        if (DEFINITION.configKeys().containsKey(key) || READ_ELSEWHERE.contains(key)) {
            return true;
        }
        if (OTHERS_NAMESPACES.stream().anyMatch(key::startsWith)) {
            return true;
        }
        Matcher listener = OF_LISTENER.matcher(key);
        return listener.matches() && isKnownOfListener(listener.group(2));
    }

    /** {@code listener.name.<listener>.<key>} or {@code listener.name.<listener>.<mechanism>.<key>}. */
    private static boolean isKnownOfListener(String rest) {
        return DEFINITION.configKeys().containsKey(rest)
                || DEFINITION.configKeys().containsKey(rest.substring(rest.indexOf('.') + 1));
    }

    /**
     * Checks that keys which begin with this may belong to a plugin.
     *
     * @throws IllegalArgumentException with the reason
     */
    static void checkPrefix(String prefix) {
        if (!PLUGIN_PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "prefix=" + prefix + " must be words of a-z, 0-9, - and _, each with a dot behind it");
        }
        boolean isAnothers = Stream.of(List.of(OWN_NAMESPACE, "listener."), OTHERS_NAMESPACES, READ_ELSEWHERE)
                .flatMap(Collection::stream)
                .anyMatch(taken -> taken.startsWith(prefix) || prefix.startsWith(taken));
        if (isAnothers || DEFINITION.names().stream().anyMatch(key -> key.startsWith(prefix))) {
            throw new IllegalArgumentException(
                    "prefix=" + prefix + " is not free for plugins: keys of Kafka or Gregor begin with it");
        }
    }

    private static void refuseMistyped(Settings settings, String key) {
        String bare = withoutListener(key);
        Optional<String> meant =
                KeyDistance.nearest(bare, DEFINITION.configKeys().keySet());
        if (meant.isPresent()) {
            String prefix = key.substring(0, key.length() - bare.length());
            throw settings.refusal(key, null, "is not a known key: did you mean " + prefix + meant.get() + "?");
        }
        if (key.startsWith(OWN_NAMESPACE)) {
            throw settings.refusal(
                    key, null, "is not a known key: Gregor's own keys are " + String.join(", ", GregorConfigs.names()));
        }
    }
}
