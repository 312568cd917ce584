package io.gregor.handlers.admin.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Predicate;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.server.metrics.ClientMetricsConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.jspecify.annotations.Nullable;

/** Makes the lines of a description: one setting with its value and where that comes from. Immutable. */
final class ConfigEntries {
    /** Makes the line of one setting. */
    interface Entry {
        DescribeConfigsResourceResult of(String name, @Nullable Object value);
    }

    private static final Map<ConfigDef.Type, ConfigType> TYPES = Map.of(
            ConfigDef.Type.BOOLEAN, ConfigType.BOOLEAN,
            ConfigDef.Type.STRING, ConfigType.STRING,
            ConfigDef.Type.INT, ConfigType.INT,
            ConfigDef.Type.SHORT, ConfigType.SHORT,
            ConfigDef.Type.LONG, ConfigType.LONG,
            ConfigDef.Type.DOUBLE, ConfigType.DOUBLE,
            ConfigDef.Type.LIST, ConfigType.LIST,
            ConfigDef.Type.CLASS, ConfigType.CLASS,
            ConfigDef.Type.PASSWORD, ConfigType.PASSWORD);

    private final BrokerSettings brokerSettings;
    private final Predicate<String> isLive;
    private final boolean withSynonyms;
    private final boolean withDocumentation;

    /** Lines with or without synonyms and documentation. */
    ConfigEntries(
            BrokerSettings brokerSettings, Predicate<String> isLive, boolean withSynonyms, boolean withDocumentation) {
        this.brokerSettings = brokerSettings;
        this.isLive = isLive;
        this.withSynonyms = withSynonyms;
        this.withDocumentation = withDocumentation;
    }

    BrokerSettings settings() {
        return brokerSettings;
    }

    DescribeConfigsResourceResult topic(LogConfig log, Properties overrides, String name, @Nullable Object value) {
        String brokerName = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.get(name);
        boolean isProvided = brokerName != null && brokerSettings.isProvided(brokerName);
        Setting setting = Setting.of(name, value, LogConfig.configType(name), isProvided);
        List<DescribeConfigsSynonym> inherited =
                brokerName == null ? List.of() : brokerSettings.synonyms(brokerName, setting.isSensitive);
        return line(setting, log, overridden(setting, overrides, ConfigSource.TOPIC_CONFIG, inherited));
    }

    /** A setting of this broker; what is stored and does not count says so. */
    DescribeConfigsResourceResult broker(String name, @Nullable Object value) {
        Setting setting = brokerSetting(name, value);
        return brokerLine(setting, brokerSettings.synonyms(name, setting.isSensitive));
    }

    /** A setting that is stored for all brokers; one that this broker does not run with says so. */
    DescribeConfigsResourceResult storedForAll(String name, @Nullable Object value) {
        Setting setting = brokerSetting(name, value);
        return brokerLine(setting, List.of(synonym(setting, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)));
    }

    private Setting brokerSetting(String name, @Nullable Object value) {
        return Setting.of(
                name,
                value,
                AbstractKafkaConfig.configType(name).or(() -> ownType(name)),
                brokerSettings.isProvided(name));
    }

    /** The type of a setting of ours, which Kafka's definition does not have. */
    private Optional<ConfigDef.Type> ownType(String name) {
        return Optional.ofNullable(brokerSettings.values().typeOf(name));
    }

    /** Kafka calls some settings read-only that can be changed here. */
    private DescribeConfigsResourceResult brokerLine(Setting setting, List<DescribeConfigsSynonym> synonyms) {
        boolean isChangeable =
                DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS.contains(setting.name) || isLive.test(setting.name);
        DescribeConfigsResourceResult line =
                line(setting, brokerSettings.values(), synonyms).setReadOnly(!isChangeable);
        Optional<String> reason = withDocumentation ? brokerSettings.notApplied(setting.name) : Optional.empty();
        reason.ifPresent(text -> line.setDocumentation(
                line.documentation() == null
                        ? "Not applied by this node: " + text
                        : "Not applied by this node: " + text + ". " + line.documentation()));
        return line;
    }

    /** What one logger logs. */
    static DescribeConfigsResourceResult logger(String name, Object level) {
        return new DescribeConfigsResourceResult()
                .setName(name)
                .setValue(level.toString())
                .setConfigSource(ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG.id())
                .setIsSensitive(false)
                .setReadOnly(false)
                .setSynonyms(List.of());
    }

    DescribeConfigsResourceResult group(GroupConfig values, Properties overrides, String name, @Nullable Object value) {
        Setting setting = Setting.of(name, value, GroupConfig.configType(name));
        List<DescribeConfigsSynonym> inherited = GroupConfig.brokerSynonym(name)
                .map(brokerName -> brokerSettings.synonyms(brokerName, setting.isSensitive))
                .orElseGet(() -> groupDefault(setting));
        return line(setting, values, overridden(setting, overrides, ConfigSource.GROUP_CONFIG, inherited));
    }

    DescribeConfigsResourceResult clientMetrics(
            ClientMetricsConfigs values, Properties overrides, String name, @Nullable Object value) {
        Setting setting = Setting.of(name, value, ClientMetricsConfigs.configType(name));
        return line(setting, values, overridden(setting, overrides, ConfigSource.CLIENT_METRICS_CONFIG, List.of()));
    }

    private DescribeConfigsResourceResult line(
            Setting setting, AbstractConfig values, List<DescribeConfigsSynonym> synonyms) {
        return new DescribeConfigsResourceResult()
                .setName(setting.name)
                .setValue(setting.text)
                .setIsSensitive(setting.isSensitive)
                .setConfigType(
                        setting.type.map(TYPES::get).orElse(ConfigType.UNKNOWN).id())
                .setConfigSource(
                        synonyms.isEmpty()
                                ? ConfigSource.DEFAULT_CONFIG.id()
                                : synonyms.get(0).source())
                .setSynonyms(withSynonyms ? synonyms : List.of())
                .setDocumentation(withDocumentation ? values.documentationOf(setting.name) : null);
    }

    private static List<DescribeConfigsSynonym> overridden(
            Setting setting, Properties overrides, ConfigSource source, List<DescribeConfigsSynonym> inherited) {
        if (!overrides.containsKey(setting.name)) {
            return inherited;
        }
        List<DescribeConfigsSynonym> synonyms = new ArrayList<>();
        synonyms.add(synonym(setting, source));
        synonyms.addAll(inherited);
        return synonyms;
    }

    private static List<DescribeConfigsSynonym> groupDefault(Setting setting) {
        Object value = GroupConfig.CONFIG_DEF.defaultValues().get(setting.name);
        if (value == null) {
            return List.of();
        }
        return List.of(synonym(Setting.of(setting.name, value, setting.type), ConfigSource.DEFAULT_CONFIG));
    }

    private static DescribeConfigsSynonym synonym(Setting setting, ConfigSource source) {
        return new DescribeConfigsSynonym()
                .setName(setting.name)
                .setValue(setting.text)
                .setSource(source.id());
    }

    /** A setting's value as text; null if there is none or nobody may see it. What has no known type may be a secret. */
    private record Setting(String name, Optional<ConfigDef.Type> type, boolean isSensitive, @Nullable String text) {
        static Setting of(String name, @Nullable Object value, Optional<ConfigDef.Type> type) {
            return of(name, value, type, false);
        }

        /** The same of one that a config provider may have found. */
        static Setting of(String name, @Nullable Object value, Optional<ConfigDef.Type> type, boolean isProvided) {
            boolean isSensitive = isProvided || AbstractKafkaConfig.maybeSensitive(type);
            String text = isSensitive || value == null ? null : text(value, type.orElseThrow());
            return new Setting(name, type, isSensitive, text);
        }

        /** A value that is text already may not be parsed: a class's name, a list as it stands in the file. */
        private static @Nullable String text(Object value, ConfigDef.Type type) {
            return value instanceof String string ? string : ConfigDef.convertToString(value, type);
        }
    }
}
