package io.gregor.transport.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.network.ListenerName;

/**
 * A key that belongs to one listener: {@code listener.name.<listener>.<setting>}. Immutable.
 *
 * @param listener the listener's name
 * @param setting the key without the prefix
 */
record ListenerKey(ListenerName listener, String setting) {
    private static final String PREFIX = "listener.name.";

    /** Takes a key apart; empty if it is another kind of key. */
    static Optional<ListenerKey> of(String key) {
        int end = key.indexOf('.', PREFIX.length());
        if (!key.startsWith(PREFIX) || end <= PREFIX.length() || end == key.length() - 1) {
            return Optional.empty();
        }
        String name = key.substring(PREFIX.length(), end).toUpperCase(Locale.ROOT);
        return Optional.of(new ListenerKey(ListenerName.normalised(name), key.substring(end + 1)));
    }

    /** Whether a listener of this name is one of the role's: the controllers' are named, the broker has the others. */
    boolean isOf(Role role, NodeConfig config) {
        return (role == Role.CONTROLLER) == config.controllerListeners().contains(listener);
    }
}
