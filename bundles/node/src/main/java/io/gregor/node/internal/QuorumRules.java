package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import java.util.Set;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Kafka's rules for the controller quorum and what role may say what. Immutable. */
final class QuorumRules {
    private static final Logger LOGGER = LoggerFactory.getLogger(QuorumRules.class);

    private QuorumRules() {}

    static void check(Settings settings, NodeKafkaConfig config) {
        QuorumConfig quorum = new QuorumConfig(config);
        Set<Integer> voters = voters(settings, quorum);
        if (voters.isEmpty() && quorum.bootstrapServers().isEmpty()) {
            throw settings.missing(
                    QuorumConfig.QUORUM_BOOTSTRAP_SERVERS_CONFIG,
                    "set it to host:port of the controllers, or controller.quorum.voters to id@host:port of each");
        }
        boolean isVoter = voters.contains(config.nodeId());
        if (config.roles().contains(Role.CONTROLLER)) {
            if (!voters.isEmpty() && !isVoter) {
                throw settings.refusal(
                        QuorumConfig.QUORUM_VOTERS_CONFIG,
                        quorum.voters(),
                        "must have node.id=" + config.nodeId()
                                + " among the voters, since process.roles has controller");
            }
        } else {
            brokerOnly(settings, config, quorum, isVoter);
        }
    }

    static StartRefused noControllerListener(Settings settings, NodeKafkaConfig config) {
        return settings.refusal(
                KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG,
                config.controllerListenerNames(),
                "must have at least one name (in capitals) of a listener in listeners, since process.roles has"
                        + " controller");
    }

    private static Set<Integer> voters(Settings settings, QuorumConfig quorum) {
        try {
            return QuorumConfig.parseVoterIds(quorum.voters());
        } catch (RuntimeException unreadable) {
            throw settings.refusal(
                    QuorumConfig.QUORUM_VOTERS_CONFIG, quorum.voters(), "must be id@host:port,… of the controllers");
        }
    }

    private static void brokerOnly(Settings settings, NodeKafkaConfig config, QuorumConfig quorum, boolean isVoter) {
        if (isVoter) {
            throw settings.refusal(
                    QuorumConfig.QUORUM_VOTERS_CONFIG,
                    quorum.voters(),
                    "must not have node.id=" + config.nodeId()
                            + " among the voters, since process.roles=broker: give this node another id");
        }
        if (quorum.autoJoin()) {
            throw settings.refusal(
                    QuorumConfig.QUORUM_AUTO_JOIN_ENABLE_CONFIG,
                    true,
                    "must be false unless process.roles has controller");
        }
    }

    /** Names in the log what has no effect on a node that is no controller. */
    static void warn(Settings settings, NodeKafkaConfig config) {
        if (config.roles().contains(Role.CONTROLLER)) {
            return;
        }
        if (config.controllerListenerNames().size() > 1) {
            LOGGER.warn(
                    "controller.listener.names={} has several entries, only the first is used since process.roles=broker",
                    config.controllerListenerNames());
        }
        warnOfControllersKey(settings, ServerLogConfigs.CREATE_TOPIC_POLICY_CLASS_NAME_CONFIG);
        warnOfControllersKey(settings, ServerLogConfigs.ALTER_CONFIG_POLICY_CLASS_NAME_CONFIG);
        warnOfControllersKey(settings, ServerLogConfigs.NUM_PARTITIONS_CONFIG);
        warnOfControllersKey(settings, ReplicationConfigs.DEFAULT_REPLICATION_FACTOR_CONFIG);
    }

    private static void warnOfControllersKey(Settings settings, String key) {
        if (settings.isSet(key)) {
            LOGGER.warn(
                    "{} belongs to the controllers, and is set where process.roles=broker",
                    settings.assignment(key, ""));
        }
    }
}
