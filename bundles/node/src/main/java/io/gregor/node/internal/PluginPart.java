package io.gregor.node.internal;

import io.gregor.api.NodeSettings.SettingsOwner;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings of a plugin's owner. Made on the plugin's thread, then owned by the reconfiguration thread. */
public final class PluginPart implements LiveSettings {
    private static final Logger LOGGER = LoggerFactory.getLogger(PluginPart.class);

    private final String prefix;
    private final SettingsOwner owner;
    private volatile Map<String, String> given;

    private PluginPart(String prefix, SettingsOwner owner, Map<String, String> given) {
        this.prefix = prefix;
        this.owner = owner;
        this.given = given;
    }

    /**
     * Gives the owner the values that count now.
     *
     * @throws ConfigException if the owner refuses them
     * @throws IllegalArgumentException if plugins may not own keys of this prefix
     */
    public static PluginPart begin(String prefix, SettingsOwner owner, NodeConfig now) {
        KnownKeys.checkPrefix(prefix);
        Map<String, String> values = values(prefix, now);
        owner.prepare(values).run();
        return new PluginPart(prefix, owner, values);
    }

    @Override
    public boolean owns(String key) {
        return key.startsWith(prefix);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        return prepared(change.after());
    }

    /** The values may have changed between the look at them and the first turn as a part. */
    @Override
    public void known(NodeConfig now) {
        try {
            var unused = prepared(now).commit();
        } catch (RuntimeException refused) {
            LOGGER.warn("a plugin does not take settings that count: prefix={}", prefix, refused);
        }
    }

    private PreparedChange prepared(NodeConfig config) {
        Map<String, String> values = values(prefix, config);
        if (values.equals(given)) {
            return PreparedChange.of(() -> {});
        }
        Runnable change = owner.prepare(values);
        return PreparedChange.of(() -> {
            change.run();
            given = values;
        });
    }

    private static Map<String, String> values(String prefix, NodeConfig config) {
        Map<String, String> values = new TreeMap<>();
        config.values().originals().forEach((key, value) -> {
            if (key.startsWith(prefix) && value != null) {
                values.put(key, value.toString());
            }
        });
        return Collections.unmodifiableMap(values);
    }
}
