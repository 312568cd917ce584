package io.gregor.node.internal;

import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka's rules for values that depend on each other, listeners and quorum aside. Immutable. */
final class ValueRules {
    private static final Logger LOGGER = LoggerFactory.getLogger(ValueRules.class);
    /** Two keys that Kafka is giving up, and their constants with them. */
    private static final String BROKER_ID = "broker.id";

    private static final String REBALANCE_PROTOCOLS = "group.coordinator.rebalance.protocols";
    private static final long LEAST_DEDUPE_BYTES = 1024 * 1024;

    private final Settings settings;
    private final NodeKafkaConfig config;

    private ValueRules(Settings settings, NodeKafkaConfig config) {
        this.settings = settings;
        this.config = config;
    }

    static void check(Settings settings, NodeKafkaConfig config) {
        ValueRules rules = new ValueRules(settings, config);
        rules.identity();
        rules.logs();
        rules.replication();
        rules.sockets();
        rules.principals();
        rules.groups();
    }

    private void identity() {
        if (config.nodeId() != config.brokerId()) {
            throw settings.refusal(
                    BROKER_ID,
                    config.brokerId(),
                    "must be the same as node.id=" + config.nodeId() + ": broker.id is deprecated, remove it");
        }
    }

    private void logs() {
        long rollMs = config.logRollTimeMillis();
        require(rollMs >= 1, ServerLogConfigs.LOG_ROLL_TIME_MILLIS_CONFIG, rollMs, "must be >= 1");
        long jitterMs = config.logRollTimeJitterMillis();
        require(jitterMs >= 0, ServerLogConfigs.LOG_ROLL_TIME_JITTER_MILLIS_CONFIG, jitterMs, "must be >= 0");
        long retentionMs = config.logRetentionTimeMillis();
        require(
                retentionMs >= 1 || retentionMs == -1,
                ServerLogConfigs.LOG_RETENTION_TIME_MILLIS_CONFIG,
                retentionMs,
                "must be -1 (unlimited) or >= 1");
        require(
                !config.logDirs().isEmpty(),
                ServerLogConfigs.LOG_DIRS_CONFIG,
                "",
                "must name at least one log directory, here or in log.dir");
        require(
                config.logCleanerThreads() >= 1,
                CleanerConfig.LOG_CLEANER_THREADS_PROP,
                config.logCleanerThreads(),
                "must be >= 1");
        require(
                config.logCleanerDedupeBufferSize() / config.logCleanerThreads() > LEAST_DEDUPE_BYTES,
                CleanerConfig.LOG_CLEANER_DEDUPE_BUFFER_SIZE_PROP,
                config.logCleanerDedupeBufferSize(),
                "must be more than 1 MiB (1048576) for each of log.cleaner.threads=" + config.logCleanerThreads());
        cordoned();
    }

    private void cordoned() {
        List<String> cordoned = config.getList(ServerLogConfigs.CORDONED_LOG_DIRS_CONFIG);
        if (cordoned.contains("*")) {
            require(
                    cordoned.size() == 1,
                    ServerLogConfigs.CORDONED_LOG_DIRS_CONFIG,
                    cordoned,
                    "must be * alone or a list of log directories");
        } else {
            List<String> strangers = cordoned.stream()
                    .filter(directory -> !config.logDirs().contains(directory))
                    .toList();
            require(
                    strangers.isEmpty(),
                    ServerLogConfigs.CORDONED_LOG_DIRS_CONFIG,
                    cordoned,
                    "must only have entries of log.dirs, not " + strangers);
        }
    }

    private void replication() {
        int fetchWaitMs = config.getInt(ReplicationConfigs.REPLICA_FETCH_WAIT_MAX_MS_CONFIG);
        int socketTimeoutMs = config.getInt(ReplicationConfigs.REPLICA_SOCKET_TIMEOUT_MS_CONFIG);
        require(
                fetchWaitMs <= socketTimeoutMs,
                ReplicationConfigs.REPLICA_SOCKET_TIMEOUT_MS_CONFIG,
                socketTimeoutMs,
                "must be >= replica.fetch.wait.max.ms=" + fetchWaitMs + " to prevent unnecessary socket timeouts");
        long lagMs = config.getLong(ReplicationConfigs.REPLICA_LAG_TIME_MAX_MS_CONFIG);
        require(
                fetchWaitMs <= lagMs,
                ReplicationConfigs.REPLICA_FETCH_WAIT_MAX_MS_CONFIG,
                fetchWaitMs,
                "must be <= replica.lag.time.max.ms=" + lagMs + " to prevent frequent changes in ISR");
    }

    /** Names in the log what is allowed and will not go well. */
    static void warn(Settings settings, NodeKafkaConfig config) {
        int sessionMs = config.getInt(KRaftConfigs.BROKER_SESSION_TIMEOUT_MS_CONFIG);
        if (config.brokerHeartbeatIntervalMs() * 2L > sessionMs) {
            LOGGER.error(
                    "{} should be at most half of broker.session.timeout.ms={}, which counts on the controller: a broker"
                            + " without a heartbeat in that time loses its lease",
                    settings.assignment(
                            KRaftConfigs.BROKER_HEARTBEAT_INTERVAL_MS_CONFIG, config.brokerHeartbeatIntervalMs()),
                    sessionMs);
        }
    }

    private void sockets() {
        require(
                config.queuedMaxBytes() <= 0 || config.queuedMaxBytes() >= config.socketRequestMaxBytes(),
                SocketServerConfigs.QUEUED_MAX_BYTES_CONFIG,
                config.queuedMaxBytes(),
                "must be >= socket.request.max.bytes=" + config.socketRequestMaxBytes() + ", or -1 for no limit");
        require(
                config.maxConnectionsPerIp() != 0
                        || !config.maxConnectionsPerIpOverrides().isEmpty(),
                SocketServerConfigs.MAX_CONNECTIONS_PER_IP_CONFIG,
                0,
                "must be >= 1 unless max.connections.per.ip.overrides lets somebody in");
        List<String> noHosts = config.maxConnectionsPerIpOverrides().keySet().stream()
                .filter(host -> !Utils.validHostPattern(host))
                .toList();
        require(
                noHosts.isEmpty(),
                SocketServerConfigs.MAX_CONNECTIONS_PER_IP_OVERRIDES_CONFIG,
                "",
                "must be host:number,… and " + noHosts + " are no addresses");
        long idleMs = config.connectionsMaxIdleMs();
        require(
                idleMs < 0 || config.failedAuthenticationDelayMs() < idleMs,
                SocketServerConfigs.FAILED_AUTHENTICATION_DELAY_MS_CONFIG,
                config.failedAuthenticationDelayMs(),
                "must be less than connections.max.idle.ms=" + idleMs
                        + " to prevent failed authentication responses from timing out");
    }

    private void principals() {
        Class<?> builder = config.getClass(BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG);
        require(
                builder != null && KafkaPrincipalSerde.class.isAssignableFrom(builder),
                BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG,
                builder,
                "must be a class that implements KafkaPrincipalSerde");
    }

    private void groups() {
        List<String> protocols = config.getList(REBALANCE_PROTOCOLS);
        require(
                protocols.stream()
                        .anyMatch(name -> name.toLowerCase(Locale.ROOT).equals("classic")),
                REBALANCE_PROTOCOLS,
                protocols,
                "must have classic among them");
    }

    private void require(boolean holds, String key, Object effective, String claim) {
        if (!holds) {
            throw settings.refusal(key, effective, claim);
        }
    }
}
