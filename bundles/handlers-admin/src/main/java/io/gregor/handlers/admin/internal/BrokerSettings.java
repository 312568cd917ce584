package io.gregor.handlers.admin.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.metadata.ConfigRepository;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;

/**
 * Where the value of a broker setting comes from: what is stored for this broker or for all, then {@code
 * server.properties}, then Kafka's default; each of the setting's names in turn. Immutable.
 *
 * <p>This broker applies no stored settings yet. One that another broker has stored counts only if it says what is in force
 * anyway, as {@code min.insync.replicas} does that the controller stores by itself.
 */
final class BrokerSettings {
    private static final Map<String, String> DEFAULTS =
            ConfigDef.convertToStringMapWithPasswordValues(AbstractKafkaConfig.CONFIG_DEF.defaultValues());

    private final Map<String, String> configured;
    private final Map<String, String> storedForThis;
    private final Map<String, String> storedForAll;

    BrokerSettings(AbstractKafkaConfig values, ConfigRepository stored) {
        configured = ConfigDef.convertToStringMapWithPasswordValues(values.originals());
        storedForThis = map(stored.brokerConfig(values.brokerId()));
        storedForAll = map(stored.config(new ConfigResource(ConfigResource.Type.BROKER, "")));
    }

    private static Map<String, String> map(Properties stored) {
        return stored.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, stored::getProperty, (one, other) -> one, TreeMap::new));
    }

    /** What is stored for all brokers of the cluster, in force here or not. */
    Map<String, String> storedForAll() {
        return storedForAll;
    }

    /** Whether this broker runs with a value. */
    boolean isInForce(String name, String value) {
        return value.equals(configured.getOrDefault(name, DEFAULTS.get(name)));
    }

    /**
     * All that is set for a name and the names that stand in for it, the effective value first. What comes before the
     * setting's own name is left out: a listener's override does not belong to the setting of all listeners.
     */
    List<DescribeConfigsSynonym> synonyms(String name, boolean isSensitive) {
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        List<String> names = DynamicBrokerConfig.brokerConfigSynonyms(name, true);
        collect(names, inForce(storedForThis), ConfigSource.DYNAMIC_BROKER_CONFIG, isSensitive, synonyms);
        collect(names, inForce(storedForAll), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG, isSensitive, synonyms);
        collect(names, configured, ConfigSource.STATIC_BROKER_CONFIG, isSensitive, synonyms);
        collect(names, DEFAULTS, ConfigSource.DEFAULT_CONFIG, isSensitive, synonyms);
        return synonyms.stream()
                .dropWhile(synonym -> !synonym.name().equals(name))
                .toList();
    }

    private Map<String, String> inForce(Map<String, String> stored) {
        return stored.entrySet().stream()
                .filter(entry -> isInForce(entry.getKey(), entry.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static void collect(
            List<String> names,
            Map<String, String> values,
            ConfigSource source,
            boolean isSensitive,
            List<DescribeConfigsSynonym> into) {
        for (String name : names) {
            if (values.containsKey(name)) {
                into.add(new DescribeConfigsSynonym()
                        .setName(name)
                        .setValue(isSensitive ? null : values.get(name))
                        .setSource(source.id()));
            }
        }
    }
}
