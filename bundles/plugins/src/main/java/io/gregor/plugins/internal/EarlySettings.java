package io.gregor.plugins.internal;

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
        return new AbstractConfig(GregorConfigs.addTo(new ConfigDef()), values, false);
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
