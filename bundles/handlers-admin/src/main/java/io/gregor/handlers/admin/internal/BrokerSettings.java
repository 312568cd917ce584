package io.gregor.handlers.admin.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;

/**
 * Where the value of a broker setting comes from: {@code server.properties} before Kafka's default, each of the setting's
 * names in turn. Immutable: dynamic broker configuration has no part in it.
 */
final class BrokerSettings {
    private final Map<String, String> configured;
    private final Map<String, String> defaults;

    BrokerSettings(AbstractKafkaConfig values) {
        this.configured = ConfigDef.convertToStringMapWithPasswordValues(values.originals());
        this.defaults = ConfigDef.convertToStringMapWithPasswordValues(AbstractKafkaConfig.CONFIG_DEF.defaultValues());
    }

    /**
     * All that is set for a name and the names that stand in for it, the effective value first. What comes before the
     * setting's own name is left out: a listener's override does not belong to the setting of all listeners.
     */
    List<DescribeConfigsSynonym> synonyms(String name, boolean isSensitive) {
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        List<String> names = DynamicBrokerConfig.brokerConfigSynonyms(name, true);
        collect(names, configured, ConfigSource.STATIC_BROKER_CONFIG, isSensitive, synonyms);
        collect(names, defaults, ConfigSource.DEFAULT_CONFIG, isSensitive, synonyms);
        return synonyms.stream()
                .dropWhile(synonym -> !synonym.name().equals(name))
                .toList();
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
