package io.gregor.controller.internal;

import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.QuorumController;
import org.apache.kafka.controller.QuorumFeatures;
import org.apache.kafka.controller.metrics.QuorumControllerMetrics;
import org.apache.kafka.metadata.KafkaConfigSchema;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.MetadataLogConfig;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.raft.RaftClient;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DefaultSupportedConfigChecker;
import org.apache.kafka.server.config.DelegationTokenManagerConfigs;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;

/** Sets Kafka's quorum controller up as the node's configuration says. Immutable. */
public final class ControllerSettings {
    private final NodeConfig node;
    private final AbstractKafkaConfig config;
    private final NodeIdentity identity;
    private final MetadataHealth health;
    private final DelegationTokenCache tokens;
    private final ConfigRules rules;

    public ControllerSettings(ControllerNeeds needs) {
        this.node = needs.config();
        this.config = node.values();
        this.identity = needs.identity();
        this.health = needs.health();
        this.tokens = needs.tokens();
        this.rules = new ConfigRules(node, needs.topicDefaults());
    }

    /**
     * Builds the controller, which starts its thread and listens to Raft.
     *
     * @throws Exception if the bootstrap metadata of the directory cannot be read or the controller cannot be built
     */
    public QuorumController build(
            RaftClient<ApiMessageAndVersion> raft, QuorumControllerMetrics metrics, ConfigPolicies policies)
            throws Exception {
        QuorumController.Builder builder = new QuorumController.Builder(node.nodeId(), identity.clusterId())
                .setTime(Time.SYSTEM)
                .setThreadNamePrefix("quorum-controller-" + node.nodeId() + "-")
                .setRaftClient(raft)
                .setMetrics(metrics)
                .setBootstrapMetadata(BootstrapMetadata.fromDirectory(node.metadataLogDir()))
                .setFatalFaultHandler(health.fatalController())
                .setNonFatalFaultHandler(health.controller())
                .setCreateTopicPolicy(Optional.of(policies.createTopicCalls()))
                .setAlterConfigPolicy(Optional.of(policies.alterConfigCalls()));
        setConfigs(builder);
        setIntervals(builder);
        setDelegationTokens(builder);
        return builder.build();
    }

    /** The features that this node supports, by name. */
    public Map<String, VersionRange> supportedFeatures() {
        return QuorumFeatures.defaultSupportedFeatureMap(
                config.getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG));
    }

    /** {@code broker.session.timeout.ms}. */
    public int sessionTimeoutMs() {
        return config.getInt(KRaftConfigs.BROKER_SESSION_TIMEOUT_MS_CONFIG);
    }

    private void setConfigs(QuorumController.Builder builder) {
        List<Integer> voterIds = QuorumConfig.quorumVoterStringsToNodes(new QuorumConfig(config).voters()).stream()
                .map(voter -> voter.id())
                .toList();
        builder.setQuorumFeatures(new QuorumFeatures(node.nodeId(), supportedFeatures(), voterIds))
                .setConfigSchema(schema())
                .setStaticConfig(config.originals())
                .setConfigurationValidator(rules)
                .setSupportedConfigChecker(new DefaultSupportedConfigChecker())
                .setDefaultReplicationFactor((short) config.defaultReplicationFactor())
                .setDefaultNumPartitions(config.numPartitions());
    }

    private void setIntervals(QuorumController.Builder builder) {
        builder.setSessionTimeoutNs(TimeUnit.MILLISECONDS.toNanos(sessionTimeoutMs()))
                .setLeaderImbalanceCheckIntervalNs(leaderImbalanceCheckIntervalNs())
                .setMaxIdleIntervalNs(maxIdleIntervalNs())
                .setUncleanLeaderElectionCheckIntervalMs(
                        config.getLong(ReplicationConfigs.UNCLEAN_LEADER_ELECTION_INTERVAL_MS_CONFIG))
                .setControllerPerformanceSamplePeriodMs(
                        config.getLong(KRaftConfigs.CONTROLLER_PERFORMANCE_SAMPLE_PERIOD_MS))
                .setControllerPerformanceAlwaysLogThresholdMs(
                        config.getLong(KRaftConfigs.CONTROLLER_PERFORMANCE_ALWAYS_LOG_THRESHOLD_MS));
    }

    private void setDelegationTokens(QuorumController.Builder builder) {
        DelegationTokenManagerConfigs limits = new DelegationTokenManagerConfigs(config);
        builder.setDelegationTokenCache(tokens)
                .setDelegationTokenMaxLifeMs(limits.delegationTokenMaxLifeMs())
                .setDelegationTokenExpiryTimeMs(limits.delegationTokenExpiryTimeMs())
                .setDelegationTokenExpiryCheckIntervalMs(limits.delegationTokenExpiryCheckIntervalMs());
        if (limits.tokenAuthEnabled()) {
            builder.setDelegationTokenSecretKey(
                    limits.delegationTokenSecretKey().value());
        }
    }

    private OptionalLong leaderImbalanceCheckIntervalNs() {
        return config.getBoolean(ReplicationConfigs.AUTO_LEADER_REBALANCE_ENABLE_CONFIG)
                ? OptionalLong.of(TimeUnit.SECONDS.toNanos(
                        config.getLong(ReplicationConfigs.LEADER_IMBALANCE_CHECK_INTERVAL_SECONDS_CONFIG)))
                : OptionalLong.empty();
    }

    private OptionalLong maxIdleIntervalNs() {
        int maxIdleIntervalMs = config.getInt(MetadataLogConfig.METADATA_MAX_IDLE_INTERVAL_MS_CONFIG);
        return maxIdleIntervalMs > 0
                ? OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(maxIdleIntervalMs))
                : OptionalLong.empty();
    }

    private static KafkaConfigSchema schema() {
        return new KafkaConfigSchema(
                Map.of(
                        ConfigResource.Type.BROKER,
                        AbstractKafkaConfig.CONFIG_DEF,
                        ConfigResource.Type.TOPIC,
                        LogConfig.configDefCopy()),
                ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS);
    }
}
