package io.gregor.node.internal;

import io.gregor.internal.change.LiveSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The parts of the node that can be changed just now. Owned by the reconfiguration thread. */
final class LiveParts {
    private final ConfigLayers layers;
    private final List<LivePart> parts = new ArrayList<>();

    LiveParts(ConfigLayers layers) {
        this.layers = layers;
    }

    /** A new part has the values that the node started with. */
    void add(LiveSettings part) {
        parts.add(new LivePart(part, layers));
    }

    void remove(LiveSettings part) {
        parts.removeIf(known -> known.is(part));
    }

    boolean owns(String key) {
        return parts.stream().anyMatch(part -> part.owns(key));
    }

    /**
     * Has every part try a change; none of them, if one refuses.
     *
     * @param change turns the values that a part was told into those that it is to have
     * @param set the keys that get a value, which may be the one that they have
     */
    TriedChange prepare(UnaryOperator<StoredValues> change, Set<String> set) {
        List<LivePart.Tried> tried = new ArrayList<>();
        try {
            for (LivePart part : parts) {
                tried.add(part.prepare(change.apply(part.told()), set, false));
            }
            return new TriedChange(tried);
        } catch (RuntimeException refused) {
            new TriedChange(tried).undo();
            throw refused;
        }
    }

    /** Has each part read again what these keys lead to; returns why one cannot, or an empty text. */
    String readAgain(Set<String> keys) {
        return parts.stream()
                .map(part -> part.readAgain(keys))
                .filter(reason -> !reason.isEmpty())
                .collect(Collectors.joining("; "));
    }

    /** Has each part apply what it takes of values that are stored already; returns what is refused, with the reason. */
    Map<String, String> settle(StoredValues wanted) {
        Map<String, String> refused = new TreeMap<>();
        parts.forEach(part -> part.settle(wanted, refused));
        return refused;
    }
}
