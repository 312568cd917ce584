package io.gregor.internal.node;

import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;

/** The keys of {@code server.properties} that are Gregor's own; {@link NodeConfig#values} has their values. Immutable. */
public final class GregorConfigs {
    /** How long requests of an API wait for a handler while there is none, before their connections are closed. */
    public static final String HANDLER_SWAP_TIMEOUT_MS_CONFIG = "gregor.handler.swap.timeout.ms";

    /** Default of {@link #HANDLER_SWAP_TIMEOUT_MS_CONFIG}. */
    public static final long HANDLER_SWAP_TIMEOUT_MS_DEFAULT = 10_000;

    /** How long a listener that is removed may take to answer what has come, before the rest is closed. */
    public static final String LISTENER_DRAIN_TIMEOUT_MS_CONFIG = "gregor.listener.drain.timeout.ms";

    /** Default of {@link #LISTENER_DRAIN_TIMEOUT_MS_CONFIG}. */
    public static final long LISTENER_DRAIN_TIMEOUT_MS_DEFAULT = 30_000;

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    LISTENER_DRAIN_TIMEOUT_MS_CONFIG,
                    ConfigDef.Type.LONG,
                    LISTENER_DRAIN_TIMEOUT_MS_DEFAULT,
                    ConfigDef.Range.atLeast(0),
                    ConfigDef.Importance.LOW,
                    "How long a listener that is removed may take to answer what has come, before the rest is closed.")
            .define(
                    HANDLER_SWAP_TIMEOUT_MS_CONFIG,
                    ConfigDef.Type.LONG,
                    HANDLER_SWAP_TIMEOUT_MS_DEFAULT,
                    ConfigDef.Range.atLeast(0),
                    ConfigDef.Importance.LOW,
                    "How long requests of an API wait for a handler while there is none, before their connections are"
                            + " closed.");

    private GregorConfigs() {}

    /** Adds the keys to another definition, and returns that. */
    public static ConfigDef addTo(ConfigDef definition) {
        DEFINITION.configKeys().values().forEach(definition::define);
        return definition;
    }

    /** The names of the keys, sorted. */
    public static Set<String> names() {
        return new TreeSet<>(DEFINITION.names());
    }
}
