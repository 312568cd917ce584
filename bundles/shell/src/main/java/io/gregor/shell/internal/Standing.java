package io.gregor.shell.internal;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.SecretKeys;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/**
 * The settings as they stand, and where each comes from. Immutable.
 *
 * @param now the values that count
 * @param fixed the values of the file and the overrides
 * @param ofNode the dynamic values of this node
 * @param ofCluster the dynamic defaults of all nodes
 */
public record Standing(NodeConfig now, NodeConfig fixed, Map<String, String> ofNode, Map<String, String> ofCluster) {
    private static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.[^.]+\\.(.+)");

    /** The settings as they stand just now. */
    public static Standing of(LiveConfig live, NodeConfig fixed) {
        return new Standing(live.current(), fixed, live.stored(Scope.NODE), live.stored(Scope.CLUSTER));
    }

    /** The dynamic values of a scope. */
    public Map<String, String> stored(Scope scope) {
        return scope == Scope.NODE ? ofNode : ofCluster;
    }

    /** Every key that is set somewhere, or has a default. */
    public SortedSet<String> keys() {
        SortedSet<String> keys = setKeys();
        keys.addAll(now.values().values().keySet());
        return keys;
    }

    /** The keys that are set somewhere. */
    public SortedSet<String> setKeys() {
        SortedSet<String> keys = new TreeSet<>(fixed.values().originals().keySet());
        keys.addAll(ofNode.keySet());
        keys.addAll(ofCluster.keySet());
        return keys;
    }

    /** The value that counts, as text; none if there is neither a value nor a default. */
    public Optional<String> value(String key) {
        return text(now, key).or(() -> ofListener(key).flatMap(bare -> text(now, bare)));
    }

    /** The value that counts once this node has no dynamic one of its own. */
    Optional<String> without(String key) {
        return Optional.ofNullable(ofCluster.get(key)).or(() -> fixedValue(key)).or(() -> ofListener(key)
                .flatMap(this::value));
    }

    /** The value of the file or the overrides, or the default. */
    public Optional<String> fixedValue(String key) {
        return text(fixed, key);
    }

    /** Where the value that counts comes from. */
    public String origin(String key) {
        if (ofNode.containsKey(key)) {
            return "dynamic, this node";
        }
        if (ofCluster.containsKey(key)) {
            return "dynamic, all nodes";
        }
        if (fixed.values().originals().containsKey(key)) {
            return "file or --override";
        }
        return ofListener(key).map(bare -> "as " + bare).orElse("default");
    }

    /** A value as it may be shown: secrets stay hidden. */
    public static String shown(String key, String value) {
        return SecretKeys.isSecret(key) ? SecretKeys.HIDDEN : value;
    }

    /** What a key means; empty if nobody knows it. */
    public String documentation(String key) {
        String known = ofListener(key).orElse(key);
        return now.values().typeOf(known) == null ? "" : now.values().documentationOf(known);
    }

    /** What a config provider has found is hidden here already: what was typed is not known. */
    private static Optional<String> text(NodeConfig config, String key) {
        if (config.isProvided(key)) {
            return Optional.of(SecretKeys.HIDDEN);
        }
        Object typed = config.values().originals().get(key);
        if (typed != null) {
            return Optional.of(typed.toString());
        }
        @Nullable Object value = config.values().values().get(key);
        return Optional.ofNullable(
                ConfigDef.convertToString(value, config.values().typeOf(key)));
    }

    private static Optional<String> ofListener(String key) {
        Matcher parts = OF_LISTENER.matcher(key);
        return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
    }
}
