package io.gregor.internal.change;

import io.gregor.internal.node.NodeConfig;

/**
 * A part of the node whose settings can be changed while it runs. A service; any number, from any bundle. A part starts with
 * the values of {@code NodeConfig} and is told everything that differs from them, at once after it has become a service and
 * whenever it changes. Called on the reconfiguration thread, which may wait; handler and network threads never wait for it.
 */
public interface LiveSettings {
    /**
     * Whether a change of this key takes effect here; a listener's own keys come with {@code listener.name.<listener>.}. Any
     * thread: who describes the configuration asks too.
     */
    boolean owns(String key);

    /**
     * Whether the value of this key, which it {@link #owns}, leads to something that is read when it is applied: a key store, a
     * keytab. To set the same value again is a change of it then, as in Kafka. Reconfiguration thread.
     */
    default boolean isReadAgain(String key) {
        return false;
    }

    /**
     * Tries a change: checks the values, opens what has to be opened, switches nothing on. Reconfiguration thread.
     *
     * @throws org.apache.kafka.common.config.ConfigException if it cannot be applied, with key, value and reason; nothing is
     *     left behind then
     */
    PreparedChange prepare(ConfigChange change);

    /**
     * The part is known from now on: every later change comes to it. For a part that does not start with the values of
     * {@code NodeConfig}. Reconfiguration thread; called once, after what differs from {@code NodeConfig} was told.
     *
     * @param now the values that count
     */
    default void known(NodeConfig now) {}
}
