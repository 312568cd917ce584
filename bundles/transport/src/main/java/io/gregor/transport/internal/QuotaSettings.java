package io.gregor.transport.internal;

import io.gregor.transport.internal.ConnectionQuotas.Limits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** Reads the connection limits from the configuration. Immutable. */
public final class QuotaSettings {
    private QuotaSettings() {}

    /** The limits of a role; looks up the host names among the overrides. */
    public static Limits of(AbstractKafkaConfig values) {
        Map<InetAddress, Integer> overrides = new HashMap<>();
        values.maxConnectionsPerIpOverrides().forEach((host, limit) -> overrides.put(address(host), limit));
        return new Limits(
                values.maxConnections(),
                values.maxConnectionCreationRate(),
                values.maxConnectionsPerIp(),
                Map.copyOf(overrides));
    }

    /** The limits of a listener: its own, or those of the role. */
    public static ListenerLimits of(ListenerName listener, AbstractKafkaConfig values) {
        return new ListenerLimits(
                own(listener, values, SocketServerConfigs.MAX_CONNECTIONS_CONFIG, values.maxConnections()),
                own(
                        listener,
                        values,
                        SocketServerConfigs.MAX_CONNECTION_CREATION_RATE_CONFIG,
                        values.maxConnectionCreationRate()));
    }

    private static int own(ListenerName listener, AbstractKafkaConfig values, String key, int ofRole) {
        String ownKey = listener.configPrefix() + key;
        Object own = values.originals().get(ownKey);
        if (own == null) {
            return ofRole;
        }
        int limit;
        try {
            limit = Integer.parseInt(own.toString().trim());
        } catch (NumberFormatException e) {
            throw new ConfigException(ownKey, own, "must be a whole number");
        }
        if (limit < 1) {
            throw new ConfigException(ownKey, own, "must be at least 1");
        }
        return limit;
    }

    private static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    SocketServerConfigs.MAX_CONNECTIONS_PER_IP_OVERRIDES_CONFIG,
                    host,
                    "this host is not known; write an address or a name that can be looked up");
        }
    }
}
