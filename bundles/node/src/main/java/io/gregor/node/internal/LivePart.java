package io.gregor.node.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.SecretValues;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part of the node that can be changed, and the dynamic values it was told. Owned by the reconfiguration thread. */
final class LivePart {
    private static final Logger LOGGER = LoggerFactory.getLogger(LivePart.class);

    private final LiveSettings part;
    private final ConfigLayers layers;
    private StoredValues told = StoredValues.NONE;
    private NodeConfig config;

    LivePart(LiveSettings part, ConfigLayers layers) {
        this.part = part;
        this.layers = layers;
        this.config = layers.start();
    }

    boolean is(LiveSettings other) {
        return part == other;
    }

    boolean owns(String key) {
        return part.owns(key);
    }

    StoredValues told() {
        return told;
    }

    /**
     * Tries these dynamic values.
     *
     * @param setAgain keys that count even if their values are the same, if the part reads what they lead to
     * @throws StartRefused if the values cannot be read together
     * @throws ConfigException if the part refuses them
     */
    Tried prepare(StoredValues wanted, Set<String> setAgain, boolean isReplay) {
        NodeConfig after = layers.read(wanted);
        Set<String> keys = new TreeSet<>(ConfigLayers.differing(config, after));
        setAgain.stream().filter(part::isReadAgain).forEach(keys::add);
        keys.removeIf(key -> !part.owns(key));
        if (keys.isEmpty()) {
            return new Tried(keys, wanted, after, PreparedChange.of(() -> {}));
        }
        try {
            return new Tried(keys, wanted, after, part.prepare(new ConfigChange(config, after, keys, isReplay)));
        } catch (ConfigException refused) {
            throw new ConfigException(secrets(after).hiddenIn(String.valueOf(refused.getMessage())));
        } catch (RuntimeException fault) {
            Throwable told = secrets(after).hiddenIn(fault);
            LOGGER.warn("a part fails when it tries a change: part={} keys={}", part, keys, told);
            throw new ConfigException("keys=" + keys + " cannot be applied: " + told);
        }
    }

    /** What a part says of a fault is often what Kafka's classes say, who name values. */
    private SecretValues secrets(NodeConfig after) {
        return SecretValues.of(config).and(SecretValues.of(after));
    }

    /** Has the part read again what these keys lead to, with the values that it has. Returns the reason if it cannot, else empty. */
    String readAgain(Set<String> keys) {
        try {
            var unused = prepare(told, keys, true).commit();
            return "";
        } catch (RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    /**
     * Applies as many of these dynamic values as the part takes, which are stored already.
     *
     * @param refused gets the keys that it does not take, with the reason
     */
    void settle(StoredValues wanted, Map<String, String> refused) {
        Map<String, String> reasons = new TreeMap<>();
        if (!take(wanted, ownDiffering(wanted), reasons)) {
            takeOneByOne(wanted, reasons);
        }
        reasons.keySet().retainAll(ownDiffering(wanted));
        refused.putAll(reasons);
    }

    /** Over and over, since one value may need another to be there first. */
    private void takeOneByOne(StoredValues wanted, Map<String, String> reasons) {
        Set<String> others = told.differing(wanted);
        others.removeIf(part::owns);
        take(told.taking(others, wanted), Set.of(), reasons);
        boolean isProgress = true;
        while (isProgress) {
            isProgress = false;
            for (String key : ownDiffering(wanted)) {
                isProgress |= take(told.taking(Set.of(key), wanted), Set.of(key), reasons);
            }
        }
    }

    /** The stored keys that are behind what the part refuses: its own, else any. */
    private Set<String> ownDiffering(StoredValues wanted) {
        Set<String> all = told.differing(wanted);
        Set<String> own = new TreeSet<>(all);
        own.removeIf(key -> !part.owns(key));
        return own.isEmpty() ? all : own;
    }

    /** All or nothing; true if the part has them now. */
    private boolean take(StoredValues wanted, Set<String> keys, Map<String, String> reasons) {
        try {
            var unused = prepare(wanted, Set.of(), true).commit();
            return true;
        } catch (RuntimeException refused) {
            keys.forEach(key -> reasons.put(key, String.valueOf(refused.getMessage())));
            return false;
        }
    }

    /** A change that the part has tried: committed or undone, once. */
    final class Tried {
        private final Set<String> keys;
        private final StoredValues wanted;
        private final NodeConfig after;
        private final PreparedChange change;

        private Tried(Set<String> keys, StoredValues wanted, NodeConfig after, PreparedChange change) {
            this.keys = keys;
            this.wanted = wanted;
            this.after = after;
            this.change = change;
        }

        Set<String> keys() {
            return keys;
        }

        /** Switches it on; a RuntimeException says why it cannot be, the part is as it was then. */
        CompletableFuture<String> commit() {
            CompletableFuture<String> figures;
            try {
                figures = change.commit();
            } catch (RuntimeException fault) {
                throw secrets(after).hiddenIn(fault) instanceof RuntimeException retold ? retold : fault;
            }
            told = wanted;
            config = after;
            return figures;
        }

        void undo() {
            try {
                change.undo();
            } catch (RuntimeException fault) {
                LOGGER.warn(
                        "a tried change cannot be taken back completely: part={} keys={}",
                        part,
                        keys,
                        secrets(after).hiddenIn(fault));
            }
        }
    }
}
