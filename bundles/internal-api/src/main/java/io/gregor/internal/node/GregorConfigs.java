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

    /** Whether the connections of a listener end whose protocol or security has changed; of one listener with its prefix. */
    public static final String LISTENER_DRAIN_ON_CHANGE_CONFIG = "gregor.listener.drain.on.change";

    /** A store of certificates: if it is set, jars of plugins must be signed by one of them, or by what they vouch for. */
    public static final String PLUGIN_TRUSTSTORE_LOCATION_CONFIG = "gregor.plugin.truststore.location";

    /** The password of that store. */
    public static final String PLUGIN_TRUSTSTORE_PASSWORD_CONFIG = "gregor.plugin.truststore.password";

    /** JKS, PKCS12 or PEM. */
    public static final String PLUGIN_TRUSTSTORE_TYPE_CONFIG = "gregor.plugin.truststore.type";

    /** Default of {@link #PLUGIN_TRUSTSTORE_TYPE_CONFIG}. */
    public static final String PLUGIN_TRUSTSTORE_TYPE_DEFAULT = "PKCS12";

    /** The name of a listener's channel layer, in place of that of its protocol. */
    public static final String CHANNEL_LAYER_CONFIG = "gregor.channel.layer";

    /** The name of a listener's authenticator, in place of that of its protocol. */
    public static final String AUTHENTICATOR_CONFIG = "gregor.authenticator";

    /** How often files of certificates are looked at. */
    public static final String SSL_STORE_CHECK_INTERVAL_MS_CONFIG = "gregor.ssl.store.check.interval.ms";

    /** Default of {@link #SSL_STORE_CHECK_INTERVAL_MS_CONFIG}. */
    public static final long SSL_STORE_CHECK_INTERVAL_MS_DEFAULT = 1_000;

    private static final ConfigDef DEFINITION = new ConfigDef()
            .define(
                    LISTENER_DRAIN_TIMEOUT_MS_CONFIG,
                    ConfigDef.Type.LONG,
                    LISTENER_DRAIN_TIMEOUT_MS_DEFAULT,
                    ConfigDef.Range.atLeast(0),
                    ConfigDef.Importance.LOW,
                    "How long a listener that is removed may take to answer what has come, before the rest is closed.")
            .define(
                    LISTENER_DRAIN_ON_CHANGE_CONFIG,
                    ConfigDef.Type.BOOLEAN,
                    false,
                    ConfigDef.Importance.LOW,
                    "Whether the connections of a listener are drained, as those of one that is removed, when its protocol or one"
                            + " of its security settings has changed. Otherwise they live on as they were let in.")
            .define(
                    HANDLER_SWAP_TIMEOUT_MS_CONFIG,
                    ConfigDef.Type.LONG,
                    HANDLER_SWAP_TIMEOUT_MS_DEFAULT,
                    ConfigDef.Range.atLeast(0),
                    ConfigDef.Importance.LOW,
                    "How long requests of an API wait for a handler while there is none, before their connections are"
                            + " closed.")
            .define(
                    PLUGIN_TRUSTSTORE_LOCATION_CONFIG,
                    ConfigDef.Type.STRING,
                    null,
                    ConfigDef.Importance.MEDIUM,
                    "A store of certificates. If it is set, jars of plugins must be signed by one of them, or by what they"
                            + " vouch for.")
            .define(
                    PLUGIN_TRUSTSTORE_PASSWORD_CONFIG,
                    ConfigDef.Type.PASSWORD,
                    null,
                    ConfigDef.Importance.MEDIUM,
                    "The password of the store of certificates for plugins.")
            .define(
                    PLUGIN_TRUSTSTORE_TYPE_CONFIG,
                    ConfigDef.Type.STRING,
                    PLUGIN_TRUSTSTORE_TYPE_DEFAULT,
                    ConfigDef.ValidString.in("JKS", "PKCS12", "PEM"),
                    ConfigDef.Importance.LOW,
                    "The type of the store of certificates for plugins.")
            .define(
                    SSL_STORE_CHECK_INTERVAL_MS_CONFIG,
                    ConfigDef.Type.LONG,
                    SSL_STORE_CHECK_INTERVAL_MS_DEFAULT,
                    ConfigDef.Range.atLeast(10),
                    ConfigDef.Importance.LOW,
                    "How often the files of key stores and trust stores are looked at; a file that has changed, and is the"
                            + " same at two looks, is read.")
            .define(
                    CHANNEL_LAYER_CONFIG,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.LOW,
                    "The channel layer of a listener, in place of that of its protocol: the service property channel.layer"
                            + " of a bundle's layer.")
            .define(
                    AUTHENTICATOR_CONFIG,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.LOW,
                    "The authenticator of a listener, in place of that of its protocol: the service property authenticator"
                            + " of a bundle's authenticator.");

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
