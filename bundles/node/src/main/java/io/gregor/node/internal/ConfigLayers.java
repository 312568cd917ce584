package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the configuration that the file, the overrides and dynamic values make together: the defaults count least, then the
 * file, the overrides, the dynamic default of the cluster, the dynamic values of this node. Owned by the reconfiguration
 * thread.
 */
final class ConfigLayers {
    private static final String OF_CLUSTER = "dynamic default config";
    private static final String OF_NODE = "dynamic broker config";

    private final Settings file;
    private final NodeConfig start;
    private StoredValues lastRead = StoredValues.NONE;
    private NodeConfig last;

    /**
     * On top of what the node started with.
     *
     * @param start what {@code file} was read to
     */
    ConfigLayers(Settings file, NodeConfig start) {
        this.file = file;
        this.start = start;
        this.last = start;
    }

    /** What the node started with. */
    NodeConfig start() {
        return start;
    }

    /** All layers, as typed, to say where a value comes from. */
    Settings settings(StoredValues stored) {
        return file.under(stored.cluster(), OF_CLUSTER).under(stored.node(), OF_NODE);
    }

    /**
     * The configuration with these dynamic values, checked as a whole.
     *
     * @throws StartRefused with key, value, and what would be right
     */
    NodeConfig read(StoredValues stored) {
        if (!stored.equals(lastRead)) {
            last = stored.equals(StoredValues.NONE) ? start : readAgain(settings(stored));
            lastRead = stored;
        }
        return last;
    }

    private NodeConfig readAgain(Settings typed) {
        Settings counting = typed;
        try {
            counting = typed.provided();
            return ConfigReading.readAgain(counting, start.home());
        } catch (StartRefused refused) {
            throw new StartRefused(counting.secrets().hiddenIn(String.valueOf(refused.getMessage())));
        }
    }

    /** Has config providers looked up anew whatever they find. */
    void lookUpAgain() {
        lastRead = StoredValues.NONE;
        last = start;
    }

    /** The keys whose effective values are not the same, those of single listeners and of plugins among them. */
    static Set<String> differing(NodeConfig one, NodeConfig other) {
        if (one == other) {
            return Set.of();
        }
        Set<String> keys = new HashSet<>();
        addDiffering(one.values().values(), other.values().values(), keys);
        Map<String, Object> originals = one.values().originals();
        Map<String, Object> others = other.values().originals();
        Set<String> typed = new HashSet<>();
        addDiffering(originals, others, typed);
        typed.removeAll(KnownKeys.DEFINITION.names());
        keys.addAll(typed);
        return keys;
    }

    private static void addDiffering(Map<String, ?> one, Map<String, ?> other, Set<String> keys) {
        Set<String> all = new HashSet<>(one.keySet());
        all.addAll(other.keySet());
        all.removeIf(key -> Objects.equals(one.get(key), other.get(key)));
        keys.addAll(all);
    }
}
