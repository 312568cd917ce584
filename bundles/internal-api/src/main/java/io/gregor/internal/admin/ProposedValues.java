package io.gregor.internal.admin;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.jspecify.annotations.Nullable;

/**
 * What settings of a broker come to when a request is carried out, computed as the controller does that stores them: a list
 * is appended to as it is stored, or as Kafka's default has it. Immutable.
 */
public final class ProposedValues {
    private static final String SEPARATOR = ",";

    private ProposedValues() {}

    /**
     * The new values when settings are changed one by one.
     *
     * @param stored what is stored for the resource now
     * @return the value of each key that is named; null for what is to be deleted
     * @throws org.apache.kafka.common.errors.ApiException if an operation is unknown or the setting does not have it
     */
    public static Map<String, @Nullable String> changing(
            Collection<SettingChange> changes, Map<String, String> stored) {
        Map<String, @Nullable String> values = new TreeMap<>();
        for (SettingChange change : changes) {
            values.put(change.key(), value(change, stored));
        }
        return values;
    }

    /**
     * The new values when they replace everything that is stored.
     *
     * @param stored what is stored for the resource now
     * @return the value of each key that is named or stored; null for what is to be deleted
     */
    public static Map<String, @Nullable String> replacing(
            Collection<SettingChange> settings, Map<String, String> stored) {
        Map<String, @Nullable String> values = new TreeMap<>();
        stored.keySet().forEach(key -> values.put(key, null));
        settings.forEach(setting -> values.put(setting.key(), setting.requiredValue()));
        return values;
    }

    private static @Nullable String value(SettingChange change, Map<String, String> stored) {
        OpType type = change.type();
        if (type == null) {
            throw new InvalidRequestException("Unknown operations type " + change.operation());
        }
        return switch (type) {
            case SET -> change.requiredValue();
            case DELETE -> null;
            case APPEND -> appended(list(change, "append", stored), change.requiredValue());
            case SUBTRACT -> subtracted(list(change, "subtract", stored), change.requiredValue());
        };
    }

    private static String appended(List<String> list, String parts) {
        for (String part : parts.split(SEPARATOR, -1)) {
            if (!list.contains(part)) {
                list.add(part);
            }
        }
        return String.join(SEPARATOR, list);
    }

    private static String subtracted(List<String> list, String parts) {
        for (String part : parts.split(SEPARATOR, -1)) {
            list.remove(part);
        }
        return String.join(SEPARATOR, list);
    }

    private static List<String> list(SettingChange change, String operation, Map<String, String> stored) {
        ConfigKey key = AbstractKafkaConfig.CONFIG_DEF.configKeys().get(change.key());
        if (key == null) {
            throw new InvalidConfigurationException("Unknown config name: " + change.key());
        }
        if (key.type != ConfigDef.Type.LIST) {
            throw new InvalidConfigurationException(
                    "Config value " + operation + " is not allowed for config key: " + change.key());
        }
        String now = stored.get(change.key());
        if (now == null) {
            now = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null;
        }
        List<String> parts = new ArrayList<>(now == null ? List.of() : List.of(now.split(SEPARATOR, -1)));
        parts.removeIf(String::isEmpty);
        return parts;
    }
}
