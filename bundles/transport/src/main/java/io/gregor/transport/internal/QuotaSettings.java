package io.gregor.transport.internal;

import io.gregor.transport.internal.ConnectionQuotas.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/** Reads the connection limits from the configuration. Immutable. */
public final class QuotaSettings {
    private QuotaSettings() {}

    /** The limits of a role; looks up the host names among the overrides. */
    public static Limits of(AbstractKafkaConfig values) {
        Map<InetAddress, Integer> overrides = new HashMap<>();
        values.maxConnectionsPerIpOverrides().forEach((host, limit) -> overrides.put(address(host), limit));
        return new Limits(values.maxConnections(), values.maxConnectionsPerIp(), Map.copyOf(overrides));
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
