package io.gregor.node.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.network.ListenerReconfigurable;

/**
 * Kafka's channel builders of this node's own connections to controllers: their key and trust stores are those of the listener that
 * they go to, and change with its settings; connections that are there live on. Shared: any thread may add or remove one;
 * changes come on the reconfiguration thread.
 */
final class OutgoingChannels implements LiveSettings {
    private final List<ListenerReconfigurable> builders = new CopyOnWriteArrayList<>();

    void add(Reconfigurable builder) {
        if (builder instanceof ListenerReconfigurable ofListener) {
            builders.add(ofListener);
        }
    }

    void remove(Reconfigurable builder) {
        builders.removeIf(known -> known == builder);
    }

    @Override
    public boolean owns(String key) {
        return builders.stream().anyMatch(builder -> isOf(builder, key));
    }

    @Override
    public boolean isReadAgain(String key) {
        return owns(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        Map<ListenerReconfigurable, Map<String, Object>> changed = new HashMap<>();
        for (ListenerReconfigurable builder : builders) {
            if (change.keys().stream().anyMatch(key -> isOf(builder, key))) {
                Map<String, Object> values = values(change.after(), builder);
                builder.validateReconfiguration(values);
                changed.put(builder, values);
            }
        }
        return PreparedChange.of(() -> changed.forEach(Reconfigurable::reconfigure));
    }

    private static boolean isOf(ListenerReconfigurable builder, String key) {
        String prefix = builder.listenerName().configPrefix();
        return key.startsWith(prefix) && builder.reconfigurableConfigs().contains(key.substring(prefix.length()));
    }

    private static Map<String, Object> values(NodeConfig after, ListenerReconfigurable builder) {
        String prefix = builder.listenerName().configPrefix();
        Map<String, Object> values = new HashMap<>(after.values().originals());
        values.putAll(after.values().originalsWithPrefix(prefix));
        values.putAll(after.values().valuesWithPrefixOverride(prefix));
        return values;
    }
}
