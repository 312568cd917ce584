package io.gregor.node.internal;

import io.gregor.internal.plugin.DeployFolder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.QuotaConfig;
import org.jspecify.annotations.Nullable;

/** Finds out which value Kafka's definition did not take, and says what it would have taken. Immutable. */
final class ValueRefusal {
    private static final Map<String, String> REQUIRED = Map.of(
            KRaftConfigs.PROCESS_ROLES_CONFIG,
            "set it to broker, controller or broker,controller",
            KRaftConfigs.NODE_ID_CONFIG,
            "set it to a number that no other node of the cluster has",
            KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG,
            "set it to the names of the controllers' listeners, for example CONTROLLER");

    /** Rates of replication, which stand in no file. */
    private static final Map<String, ConfigDef.ConfigKey> DYNAMIC_ONLY =
            QuotaConfig.brokerQuotaConfigs().configKeys();

    private ValueRefusal() {}

    static StartRefused of(Settings settings, Map<String, String> properties, KafkaException fault, Path home) {
        Map<String, String> withSynonyms = new HashMap<>();
        AbstractKafkaConfig.populateSynonyms(properties)
                .forEach((key, value) -> withSynonyms.put(String.valueOf(key), String.valueOf(value)));
        for (ConfigDef.ConfigKey key : KnownKeys.DEFINITION.configKeys().values()) {
            String value = withSynonyms.get(key.name);
            String required = REQUIRED.get(key.name);
            if (value == null) {
                if (required != null) {
                    return settings.missing(key.name, required);
                }
            } else if (!isTaken(key, value)) {
                return settings.refusal(key.name, value, "must be " + expected(key) + present(key, home));
            }
        }
        return new StartRefused("configuration cannot be used: " + fault.getMessage() + " (" + settings.file() + ")");
    }

    /** What a key's value must be if it is not this one; null if it may be this one, or the key is not known. */
    static @Nullable String expected(String key, String value) {
        ConfigDef.ConfigKey known = KnownKeys.DEFINITION.configKeys().getOrDefault(key, DYNAMIC_ONLY.get(key));
        return known == null || isTaken(known, value) ? null : expected(known);
    }

    private static boolean isTaken(ConfigDef.ConfigKey key, String value) {
        try {
            Object parsed = ConfigDef.parseType(key.name, value, key.type);
            if (key.validator != null) {
                key.validator.ensureValid(key.name, parsed);
            }
            return true;
        } catch (ConfigException refused) {
            return false;
        }
    }

    private static String present(ConfigDef.ConfigKey key, Path home) {
        return key.type == ConfigDef.Type.CLASS ? "; " + DeployFolder.of(home).content() : "";
    }

    private static String expected(ConfigDef.ConfigKey key) {
        String type =
                switch (key.type) {
                    case INT, LONG, SHORT -> "a whole number";
                    case DOUBLE -> "a number";
                    case BOOLEAN -> "true or false";
                    case LIST -> "a list with commas";
                    case CLASS -> "the name of a class of Kafka's libraries or of a bundle in deploy/";
                    default -> key.type.name().toLowerCase(Locale.ROOT);
                };
        return key.validator == null ? type : type + ", " + key.validator;
    }
}
