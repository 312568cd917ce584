package io.gregor.plugins.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.GregorConfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The settings that count for jars which are taken before the node's configuration is read, since that may name their
 * classes: from the same file, with the same overrides. What is wrong with others, the node tells. Immutable.
 */
final class EarlySettings {
    /** Config providers may be classes of the jars that are not taken yet: they are asked only if one of these keys needs one. */
    private static final Map<String, String> NO_PROVIDERS = Map.of(AbstractConfig.CONFIG_PROVIDERS_CONFIG, "");

    private EarlySettings() {}

    /**
     * Reads them.
     *
     * @param framework the launcher's properties
     * @throws ConfigException if one of them is wrong
     */
    static AbstractConfig read(UnaryOperator<@Nullable String> framework) {
        Map<String, Object> values = new HashMap<>();
        fromFile(framework).forEach((key, value) -> values.put(String.valueOf(key), value));
        for (int i = 0; framework.apply("gregor.override." + i) != null; i++) {
            String override = String.valueOf(framework.apply("gregor.override." + i));
            int equals = override.indexOf('=');
            if (equals > 0) {
                values.put(
                        override.substring(0, equals).strip(),
                        override.substring(equals + 1).strip());
            }
        }
        ConfigDef own = GregorConfigs.addTo(new ConfigDef());
        boolean isAnyElsewhere = own.names().stream()
                .anyMatch(key -> String.valueOf(values.get(key)).contains("${"));
        return EngineThread.call(() -> isAnyElsewhere
                ? new AbstractConfig(own, values, false)
                : new AbstractConfig(own, values, NO_PROVIDERS, false));
    }

    private static Properties fromFile(UnaryOperator<@Nullable String> framework) {
        String file = framework.apply("gregor.config.file");
        Path path = file == null
                ? Path.of(String.valueOf(framework.apply("gregor.dist")), "config", "server.properties")
                : Path.of(file);
        try {
            return Utils.loadProps(path.toString());
        } catch (IOException unreadable) {
            return new Properties();
        }
    }
}
