package io.gregor.node.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** A part that keeps what it was told. Owned by the test's thread. */
final class FakePart implements LiveSettings {
    final List<String> calls = new ArrayList<>();
    final Map<String, Object> refused = new HashMap<>();
    final Map<String, Object> has = new TreeMap<>();
    CompletableFuture<String> figures = CompletableFuture.completedFuture("");

    @Nullable
    String commitFault;

    private final Set<String> keys;
    private final Set<String> files = new HashSet<>();

    FakePart(String... keys) {
        this.keys = Set.of(keys);
    }

    /** Refuses this value of a key. */
    FakePart refusing(String key, Object value) {
        refused.put(key, value);
        return this;
    }

    /** Reads a file that the value of this key names. */
    FakePart reading(String key) {
        files.add(key);
        return this;
    }

    @Override
    public boolean isReadAgain(String key) {
        return files.contains(key);
    }

    @Override
    public boolean owns(String key) {
        return keys.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        calls.add((change.isReplay() ? "replay " : "prepare ") + told(change));
        for (String key : change.keys()) {
            Object value = value(change.after(), key);
            if (refused.containsKey(key) && refused.get(key).equals(value)) {
                throw new ConfigException(key + "=" + value + " is refused by the part");
            }
        }
        return new PreparedChange() {
            @Override
            public CompletableFuture<String> commit() {
                if (commitFault != null) {
                    throw new IllegalStateException(commitFault);
                }
                calls.add("commit");
                change.keys().forEach(key -> has.put(key, String.valueOf(value(change.after(), key))));
                return figures;
            }

            @Override
            public void undo() {
                calls.add("undo");
            }
        };
    }

    private static Map<String, String> told(ConfigChange change) {
        Map<String, String> told = new TreeMap<>();
        change.keys().forEach(key -> told.put(key, value(change.before(), key) + "→" + value(change.after(), key)));
        return told;
    }

    private static @Nullable Object value(NodeConfig config, String key) {
        return config.values().values().containsKey(key)
                ? config.values().values().get(key)
                : config.values().originals().get(key);
    }
}
