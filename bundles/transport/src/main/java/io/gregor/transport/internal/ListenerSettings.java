package io.gregor.transport.internal;

import io.gregor.api.security.ListenerSecurity;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The settings of one listener: the node's, with those of {@code listener.name.<listener>.} laid over them. Immutable.
 *
 * @param security what layer and authenticator are told
 * @param networkThreads {@code num.network.threads}
 */
public record ListenerSettings(ListenerSecurity security, int networkThreads) {
    /** The same with another number of processors. */
    ListenerSettings withNetworkThreads(int count) {
        return new ListenerSettings(security, count);
    }

    /** Takes them from the node's configuration. Kafka's parsers look for classes: called under the engine's class loader. */
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
        settings.putAll(values.valuesWithPrefixOverride(prefix));
        return new ListenerSettings(
                new ListenerSecurity(name, endpoint.securityProtocol(), Collections.unmodifiableMap(settings)),
                (Integer) settings.getOrDefault(
                        SocketServerConfigs.NUM_NETWORK_THREADS_CONFIG, values.numNetworkThreads()));
    }
}
