package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.node.NodeConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is stored in the metadata log, what of it counts, and why the rest does not. Owned by the reconfiguration thread;
 * {@link #stored}, {@link #current} and {@link #notApplied} are snapshots for any thread.
 */
final class CountedValues {
    private static final Logger LOGGER = LoggerFactory.getLogger(CountedValues.class);
    private static final String NO_OWNER = "no owner: no part of this node applies it while it runs";

    private static final String NO_LISTENER = "no owner: there is no listener of this name";

    private final ConfigLayers layers;
    private final LiveParts parts;
    private Map<String, String> reasons = Map.of();
    private StoredValues applied = StoredValues.NONE;
    private volatile StoredValues stored = StoredValues.NONE;
    private volatile NodeConfig current;
    private volatile Map<String, String> notApplied = Map.of();

    CountedValues(ConfigLayers layers) {
        this.layers = layers;
        this.parts = new LiveParts(layers);
        this.current = layers.start();
    }

    StoredValues stored() {
        return stored;
    }

    NodeConfig current() {
        return current;
    }

    Map<String, String> notApplied() {
        return notApplied;
    }

    void add(LiveSettings part) {
        parts.add(part);
    }

    void remove(LiveSettings part) {
        parts.remove(part);
    }

    /** The log has these values now; nothing is applied yet. */
    void stored(StoredValues now) {
        stored = now;
    }

    /**
     * Tries a change on all parts.
     *
     * @throws org.apache.kafka.common.KafkaException or StartRefused with the reason
     */
    TriedChange prepare(Proposal proposal) {
        if (proposal.values().values().stream().anyMatch(value -> value != null && ConfigVariables.areIn(value))) {
            layers.lookUpAgain();
        }
        StoredValues wanted = applied.with(proposal.scope(), proposal.values());
        Settings settings = layers.settings(wanted);
        ProposalRules.check(proposal, settings, current, parts::owns);
        ProposalRules.checkListeners(proposal, settings, layers.read(wanted), parts::owns);
        Set<String> set = new TreeSet<>(proposal.values().keySet());
        set.removeIf(key -> proposal.values().get(key) == null);
        return parts.prepare(told -> told.with(proposal.scope(), proposal.values()), set);
    }

    /** What is stored for this node was stored again as it is: what it leads to is read again; what is broken stays as it was. */
    void readAgain() {
        layers.lookUpAgain();
        String reason = parts.readAgain(applied.node().keySet());
        if (!reason.isEmpty()) {
            LOGGER.warn("settings were stored again and cannot be read again, the former ones count: {}", reason);
        }
    }

    /** Switches on what was tried and is stored now; returns the keys that failed after all, with the reason. */
    Map<String, String> commit(Proposal proposal, TriedChange tried) {
        Map<String, String> failed = tried.commit();
        Set<String> taken = new TreeSet<>(proposal.values().keySet());
        if (Collections.disjoint(taken, failed.keySet()) && !failed.isEmpty()) {
            String reason = failed.values().iterator().next();
            taken.forEach(key -> failed.put(key, reason));
        }
        taken.removeAll(failed.keySet());
        Map<String, String> open = new TreeMap<>(reasons);
        open.keySet().removeAll(taken);
        open.putAll(failed);
        count(taken, open);
        return failed;
    }

    /** Applies what is stored and does not count yet, as far as it can be. */
    void settle() {
        Map<String, String> open = new TreeMap<>();
        Set<String> candidates = applied.differing(stored);
        candidates.removeIf(key -> {
            boolean isNobodys = stored.has(key) && KnownKeys.isKnown(key) && !parts.owns(key);
            if (isNobodys) {
                open.put(key, NO_OWNER);
            }
            return isNobodys;
        });
        StoredValues readable = readable(candidates, open);
        open.putAll(parts.settle(readable));
        candidates.removeAll(open.keySet());
        count(candidates, open);
    }

    /** What counts with as many of these keys as can be read together; one may need another to be there first. */
    private StoredValues readable(Set<String> candidates, Map<String, String> open) {
        StoredValues all = applied.taking(candidates, stored);
        if (isReadable(all, candidates, open)) {
            return all;
        }
        StoredValues readable = applied;
        Set<String> rest = new TreeSet<>(candidates);
        boolean isProgress = true;
        while (isProgress) {
            isProgress = false;
            for (String key : Set.copyOf(rest)) {
                StoredValues next = readable.taking(Set.of(key), stored);
                if (isReadable(next, Set.of(key), open)) {
                    readable = next;
                    rest.remove(key);
                    open.remove(key);
                    isProgress = true;
                }
            }
        }
        return readable;
    }

    private boolean isReadable(StoredValues values, Set<String> blamed, Map<String, String> open) {
        try {
            layers.read(values);
            return true;
        } catch (StartRefused refused) {
            blamed.forEach(key -> open.put(key, String.valueOf(refused.getMessage())));
            return false;
        }
    }

    private void count(Set<String> taken, Map<String, String> open) {
        applied = applied.taking(taken, stored);
        try {
            current = layers.read(applied);
        } catch (StartRefused refused) {
            LOGGER.warn("dynamic values that count cannot be read together: {}", refused.getMessage());
        }
        open.forEach((key, reason) -> {
            if (!reason.equals(reasons.get(key))) {
                LOGGER.warn("a stored value is not applied: key={} reason={}", key, reason);
            }
        });
        reasons = Map.copyOf(open);
        Map<String, String> shown = new TreeMap<>(open);
        List<String> listeners = ProposalRules.listenerPrefixes(current);
        for (String key : stored.keys()) {
            if (KnownKeys.listener(key).isPresent() && listeners.stream().noneMatch(key::startsWith)) {
                shown.putIfAbsent(key, NO_LISTENER);
            } else if (!KnownKeys.isKnown(key) && !parts.owns(key)) {
                shown.putIfAbsent(key, NO_OWNER);
            }
        }
        notApplied = Collections.unmodifiableMap(shown);
    }
}
