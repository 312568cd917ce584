package io.gregor.handlers.admin.internal;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;

/**
 * Where the value of a broker setting comes from: what is stored for this broker or for all, then {@code
 * server.properties}, then Kafka's default; each of the setting's names in turn. Immutable: a snapshot.
 *
 * <p>What is stored counts only if this node has taken it on. What it has not stands in none of these places.
 */
final class BrokerSettings {
    private static final Map<String, String> DEFAULTS = ConfigDef.convertToStringMapWithPasswordValues(
            GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF)).defaultValues());

    private final AbstractKafkaConfig values;
    private final Map<String, String> configured;
    private final Map<String, String> effective;
    private final Map<String, String> storedForThis;
    private final Map<String, String> storedForAll;
    private final Map<String, String> notApplied;
    private final Predicate<String> isProvided;

    BrokerSettings(NodeConfig start, LiveConfig live) {
        values = live.current().values();
        configured = texts(start.values());
        effective = texts(values);
        storedForThis = live.stored(LiveConfig.Scope.NODE);
        storedForAll = live.stored(LiveConfig.Scope.CLUSTER);
        notApplied = live.notApplied();
        NodeConfig now = live.current();
        isProvided = name -> start.isProvided(name) || now.isProvided(name);
    }

    /** Whether a config provider found a value of this setting, under any of its names: it is not shown then. */
    boolean isProvided(String name) {
        return DynamicBrokerConfig.brokerConfigSynonyms(name, true).stream().anyMatch(isProvided);
    }

    private static Map<String, String> texts(AbstractKafkaConfig config) {
        return ConfigDef.convertToStringMapWithPasswordValues(config.originals());
    }

    /** What this node runs with. */
    AbstractKafkaConfig values() {
        return values;
    }

    /** What is stored for all brokers of the cluster, in force here or not. */
    Map<String, String> storedForAll() {
        return storedForAll;
    }

    /** What is stored for this broker under names that it does not have: of a listener that is gone, for instance. */
    Map<String, String> storedAside() {
        Map<String, String> aside = new TreeMap<>(storedForThis);
        aside.keySet().removeAll(values.originals().keySet());
        aside.keySet().removeAll(values.values().keySet());
        return aside;
    }

    /** Why this node does not run with what is stored under a name; empty if it does, or nothing is stored. */
    Optional<String> notApplied(String name) {
        boolean isKnown = AbstractKafkaConfig.configType(name).isPresent();
        return Optional.ofNullable(notApplied.get(name)).filter(reason -> !(isKnown && isInForce(name)));
    }

    /** A value that is not taken on may be the one that counts anyway. */
    private boolean isInForce(String name) {
        if (!notApplied.containsKey(name)) {
            return true;
        }
        String stored = storedForThis.getOrDefault(name, storedForAll.get(name));
        return stored != null && stored.equals(effective.getOrDefault(name, DEFAULTS.get(name)));
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
        if (notApplied.isEmpty()) {
            return stored;
        }
        Map<String, String> inForce = new HashMap<>(stored);
        inForce.keySet().removeIf(name -> !isInForce(name));
        return inForce;
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
