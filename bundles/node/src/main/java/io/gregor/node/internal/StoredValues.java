package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.Scope;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Dynamic values as the metadata log stores them. Immutable.
 *
 * @param cluster the default of all nodes
 * @param node this node's, which win
 */
record StoredValues(Map<String, String> cluster, Map<String, String> node) {
    static final StoredValues NONE = new StoredValues(Map.of(), Map.of());

    StoredValues {
        cluster = Map.copyOf(cluster);
        node = Map.copyOf(node);
    }

    Map<String, String> of(Scope scope) {
        return scope == Scope.NODE ? node : cluster;
    }

    /** With these values of one scope; null deletes. */
    StoredValues with(Scope scope, Map<String, @Nullable String> values) {
        Map<String, String> changed = new TreeMap<>(of(scope));
        values.forEach((key, value) -> put(changed, key, value));
        return scope == Scope.NODE ? new StoredValues(cluster, changed) : new StoredValues(changed, node);
    }

    /** With what others has of these keys, in both scopes, be it a value or none. */
    StoredValues taking(Collection<String> keys, StoredValues others) {
        Map<String, String> newCluster = new TreeMap<>(cluster);
        Map<String, String> newNode = new TreeMap<>(node);
        for (String key : keys) {
            put(newCluster, key, others.cluster.get(key));
            put(newNode, key, others.node.get(key));
        }
        return new StoredValues(newCluster, newNode);
    }

    /** Whether each of these keys is stored with its value, or not stored if its value is null. */
    boolean has(Scope scope, Map<String, @Nullable String> values) {
        return values.entrySet().stream()
                .allMatch(entry -> Objects.equals(of(scope).get(entry.getKey()), entry.getValue()));
    }

    /** Whether there is a value of this key in one of the scopes. */
    boolean has(String key) {
        return node.containsKey(key) || cluster.containsKey(key);
    }

    /** The keys whose values are not the same in a scope. */
    Set<String> differing(Scope scope, StoredValues others) {
        Set<String> keys = new TreeSet<>(of(scope).keySet());
        keys.addAll(others.of(scope).keySet());
        keys.removeIf(key -> Objects.equals(of(scope).get(key), others.of(scope).get(key)));
        return keys;
    }

    /** The keys whose values are not the same in any scope. */
    Set<String> differing(StoredValues others) {
        Set<String> keys = differing(Scope.NODE, others);
        keys.addAll(differing(Scope.CLUSTER, others));
        return keys;
    }

    /** Every key that is stored. */
    Set<String> keys() {
        Set<String> keys = new TreeSet<>(cluster.keySet());
        keys.addAll(node.keySet());
        return keys;
    }

    private static void put(Map<String, String> values, String key, @Nullable String value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, value);
        }
    }
}
