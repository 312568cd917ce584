package io.gregor.quotas.internal;

import static org.apache.kafka.server.config.QuotaConfig.FOLLOWER_REPLICATION_THROTTLED_RATE_CONFIG;
import static org.apache.kafka.server.config.QuotaConfig.FOLLOWER_REPLICATION_THROTTLED_REPLICAS_CONFIG;
import static org.apache.kafka.server.config.QuotaConfig.LEADER_REPLICATION_THROTTLED_RATE_CONFIG;
import static org.apache.kafka.server.config.QuotaConfig.LEADER_REPLICATION_THROTTLED_REPLICAS_CONFIG;
import static org.apache.kafka.server.config.QuotaConfig.REPLICA_ALTER_LOG_DIRS_IO_MAX_BYTES_PER_SECOND_CONFIG;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.server.config.QuotaConfig;
import org.apache.kafka.server.quota.QuotaFactory.QuotaManagers;
import org.apache.kafka.server.quota.ReplicationQuotaManager;
import org.jspecify.annotations.Nullable;

/**
 * The replication quotas of one broker: rates of its own settings before those of all brokers, throttled replicas of each
 * topic. Owned by the metadata loader's thread.
 */
final class ReplicationRates {
    private static final String ALL = "*";
    private static final String NONE = "none";

    private final QuotaManagers managers;
    private final int nodeId;
    private final ConfigResource own;
    private final ConfigResource ofAll = new ConfigResource(ConfigResource.Type.BROKER, "");

    ReplicationRates(QuotaManagers managers, int nodeId) {
        this.managers = managers;
        this.nodeId = nodeId;
        this.own = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(nodeId));
    }

    void begin(ConfigurationsImage image) {
        rates(image);
        for (ConfigResource resource : image.resourceData().keySet()) {
            if (resource.type() == ConfigResource.Type.TOPIC) {
                topic(resource.name(), image.configProperties(resource));
            }
        }
    }

    void follow(Set<ConfigResource> changed, ConfigurationsImage image) {
        if (changed.contains(own) || changed.contains(ofAll)) {
            rates(image);
        }
        for (ConfigResource resource : changed) {
            if (resource.type() == ConfigResource.Type.TOPIC) {
                topic(resource.name(), image.configProperties(resource));
            }
        }
    }

    private void rates(ConfigurationsImage image) {
        Properties first = image.configProperties(own);
        Properties then = image.configProperties(ofAll);
        managers.leader().updateQuota(rate(LEADER_REPLICATION_THROTTLED_RATE_CONFIG, first, then));
        managers.follower().updateQuota(rate(FOLLOWER_REPLICATION_THROTTLED_RATE_CONFIG, first, then));
        managers.alterLogDirs().updateQuota(rate(REPLICA_ALTER_LOG_DIRS_IO_MAX_BYTES_PER_SECOND_CONFIG, first, then));
    }

    private static Quota rate(String key, Properties first, Properties then) {
        String value = first.getProperty(key, then.getProperty(key));
        long bytesPerSecond = value == null ? QuotaConfig.QUOTA_BYTES_PER_SECOND_DEFAULT : Long.parseLong(value.trim());
        return Quota.upperBound((double) bytesPerSecond);
    }

    private void topic(String topic, Properties settings) {
        mark(managers.leader(), topic, settings.getProperty(LEADER_REPLICATION_THROTTLED_REPLICAS_CONFIG));
        mark(managers.follower(), topic, settings.getProperty(FOLLOWER_REPLICATION_THROTTLED_REPLICAS_CONFIG));
    }

    private void mark(ReplicationQuotaManager manager, String topic, @Nullable String replicas) {
        if (replicas == null || replicas.isBlank()) {
            manager.removeThrottle(topic);
        } else {
            manager.markThrottled(topic, partitions(replicas.trim()));
        }
    }

    /** The partitions of a list {@code partition:broker,…} that this broker has; of {@code *} all. */
    private List<Integer> partitions(String replicas) {
        if (replicas.equals(ALL)) {
            return ReplicationQuotaManager.ALL_REPLICAS;
        }
        if (replicas.equals(NONE)) {
            return List.of();
        }
        return Arrays.stream(replicas.split(","))
                .map(replica -> replica.trim().split(":"))
                .filter(replica -> Integer.parseInt(replica[1]) == nodeId)
                .map(replica -> Integer.valueOf(replica[0]))
                .toList();
    }
}
