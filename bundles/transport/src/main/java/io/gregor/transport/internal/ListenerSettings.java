package io.gregor.transport.internal;

import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.node.GregorConfigs;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one listener: the node's, with those of {@code listener.name.<listener>.} laid over them. Immutable.
 *
 * @param security what layer and authenticator are told
 * @param networkThreads {@code num.network.threads}
 * @param channelLayer the layer's name; empty for that of its protocol
 * @param authenticator the authenticator's name; empty for that of its protocol
 * @param hasPrincipalBuilder whether {@code principal.builder.class} is set for it
 * @param isDrainedOnChange {@code gregor.listener.drain.on.change}
 */
public record ListenerSettings(
        ListenerSecurity security,
        int networkThreads,
        String channelLayer,
        String authenticator,
        boolean hasPrincipalBuilder,
        boolean isDrainedOnChange) {
    private static final Logger LOGGER = LoggerFactory.getLogger(ListenerSettings.class);
    private static final String CLIENT_AUTH = BrokerSecurityConfigs.SSL_CLIENT_AUTH_CONFIG;
    private static final String NO_CLIENT_AUTH = "none";

    /** The same with another number of processors. */
    ListenerSettings withNetworkThreads(int count) {
        return new ListenerSettings(
                security, count, channelLayer, authenticator, hasPrincipalBuilder, isDrainedOnChange);
    }

    /** Takes them from the node's configuration. Kafka's parsers look for classes: called under the loader of plugins' classes. */
    public static ListenerSettings of(Endpoint endpoint, AbstractKafkaConfig values) {
        ListenerName name = ListenerName.normalised(endpoint.listener());
        String prefix = name.configPrefix();
        Map<String, Object> settings = new HashMap<>();
        values.originals().forEach((key, value) -> {
            if (!key.startsWith(prefix)) {
                settings.put(key, value);
            }
        });
        values.originalsWithPrefix(prefix).forEach(settings::put);
        settings.putAll(typed(values, prefix));
        if (endpoint.securityProtocol() == SecurityProtocol.SASL_SSL) {
            asksForCertificateOnlyItself(settings, values.originals().containsKey(prefix + CLIENT_AUTH), name);
        }
        return new ListenerSettings(
                new ListenerSecurity(name, endpoint.securityProtocol(), Collections.unmodifiableMap(settings)),
                (Integer) settings.getOrDefault(
                        SocketServerConfigs.NUM_NETWORK_THREADS_CONFIG, values.numNetworkThreads()),
                name(settings, GregorConfigs.CHANNEL_LAYER_CONFIG),
                name(settings, GregorConfigs.AUTHENTICATOR_CONFIG),
                hasOwn(values.originals(), prefix, BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG),
                Boolean.parseBoolean(name(settings, GregorConfigs.LISTENER_DRAIN_ON_CHANGE_CONFIG)));
    }

    /** As in Kafka, the node's {@code ssl.client.auth} is for SSL; only a listener's own is for SASL_SSL. */
    private static void asksForCertificateOnlyItself(Map<String, Object> settings, boolean hasOwn, ListenerName name) {
        if (!hasOwn && !NO_CLIENT_AUTH.equals(settings.put(CLIENT_AUTH, NO_CLIENT_AUTH))) {
            LOGGER.warn(
                    "{} is for listeners of SSL only, clients of SASL_SSL are not asked for a certificate: listener={};"
                            + " set {}{} to ask them",
                    CLIENT_AUTH,
                    name.value(),
                    name.configPrefix(),
                    CLIENT_AUTH);
        }
    }

    private static Map<String, Object> typed(AbstractKafkaConfig values, String prefix) {
        try {
            return values.valuesWithPrefixOverride(prefix);
        } catch (ConfigException e) {
            throw new ConfigException(prefix + "*: " + e.getMessage()); // Kafka names the key without it
        }
    }

    private static String name(Map<String, Object> settings, String key) {
        Object name = settings.get(key);
        return name == null ? "" : name.toString().strip();
    }

    private static boolean hasOwn(Map<String, Object> typed, String prefix, String key) {
        return typed.containsKey(key) || typed.containsKey(prefix + key);
    }
}
