package io.gregor.transport.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.transport.internal.ConnectionQuotas.Limits;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * Limits of connections, idle time and memory, live. Immutable; called on the reconfiguration thread. Connections that are
 * there when a limit is lowered: those over the limit of the role are closed, those idle for too long as well; other limits
 * count for connections that come.
 */
final class LimitSettings implements LiveSettings {
    private static final Set<String> OF_LISTENERS =
            Set.of(SocketServerConfigs.MAX_CONNECTIONS_CONFIG, SocketServerConfigs.MAX_CONNECTION_CREATION_RATE_CONFIG);
    private static final Set<String> OF_ROLE = Set.of(
            SocketServerConfigs.MAX_CONNECTIONS_CONFIG,
            SocketServerConfigs.MAX_CONNECTION_CREATION_RATE_CONFIG,
            SocketServerConfigs.MAX_CONNECTIONS_PER_IP_CONFIG,
            SocketServerConfigs.MAX_CONNECTIONS_PER_IP_OVERRIDES_CONFIG,
            SocketServerConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG,
            SocketServerConfigs.FAILED_AUTHENTICATION_DELAY_MS_CONFIG,
            SocketServerConfigs.QUEUED_MAX_BYTES_CONFIG);

    private final RoleDoors doors;
    private final RoleTransport transport;

    /** Limits of the role behind these doors. */
    LimitSettings(RoleDoors doors, RoleTransport transport) {
        this.doors = doors;
        this.transport = transport;
    }

    @Override
    public boolean owns(String key) {
        return OF_ROLE.contains(key) || own(key).isPresent();
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        AbstractKafkaConfig values = change.after().values();
        Limits limits = QuotaSettings.of(values);
        change.keys().forEach(key -> own(key).ifPresent(own -> QuotaSettings.of(own.listener(), values)));
        return PreparedChange.of(() -> {
            transport.settings(
                    transport.settings().with(values.connectionsMaxIdleMs(), values.failedAuthenticationDelayMs()));
            transport.memory().limit(values.queuedMaxBytes());
            transport.quotas().limits(limits, listener -> QuotaSettings.of(listener, values));
            transport.processors().poke();
            transport.excess().closeIfOver();
        });
    }

    private Optional<ListenerKey> own(String key) {
        return ListenerKey.of(key).filter(own -> OF_LISTENERS.contains(own.setting()) && doors.hasOwn(own));
    }
}
