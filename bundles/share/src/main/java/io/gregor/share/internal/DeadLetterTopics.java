package io.gregor.share.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.share.dlq.ShareGroupDLQMetadataCacheHelper;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * Where Kafka's keeper of dead letters (KIP-1191) finds the topics for them. Shared: any thread.
 *
 * @param listener by which brokers reach each other
 * @param topicConfig the settings of a topic, the broker's defaults included
 */
record DeadLetterTopics(
        MetadataCache metadata,
        GroupConfigManager groups,
        ListenerName listener,
        Function<Properties, LogConfig> topicConfig)
        implements ShareGroupDLQMetadataCacheHelper {
    @Override
    public Optional<String> shareGroupDlqTopic(String groupId) {
        return groups.groupConfig(groupId).map(GroupConfig::errorsDLQTopicName).filter(name -> !name.isEmpty());
    }

    @Override
    public boolean isDlqEnabledOnTopic(String topic) {
        return config(topic).errorsDeadletterqueueGroupEnable();
    }

    private LogConfig config(String topic) {
        return topicConfig.apply(metadata.topicConfig(topic));
    }

    @Override
    public boolean isDlqAutoTopicCreateEnabled() {
        return groups.isDlqAutoTopicCreateEnabled();
    }

    @Override
    public Optional<String> shareGroupDlqTopicPrefix() {
        return groups.shareGroupDlqTopicPrefix();
    }

    @Override
    public boolean isShareGroupDlqCopyRecordEnabled(String groupId) {
        return groups.groupConfig(groupId)
                .map(GroupConfig::errorsDLQCopyRecordEnable)
                .orElse(false);
    }

    @Override
    public boolean containsTopic(String topic) {
        return metadata.contains(topic);
    }

    @Override
    public int dlqTopicMaxMessageBytes(String topic) {
        return config(topic).maxMessageSize();
    }

    @Override
    public List<Node> getClusterNodes() {
        return metadata.getAliveBrokerNodes(listener);
    }

    @Override
    public Optional<String> topicName(Uuid id) {
        return metadata.getTopicName(id);
    }

    @Override
    public TopicPartitionData topicPartitionData(String topic) {
        Optional<Integer> count = metadata.numPartitions(topic);
        List<Node> leaders = new ArrayList<>();
        for (int partition = 0; partition < count.orElse(0); partition++) {
            leaders.add(metadata.getPartitionLeaderEndpoint(topic, partition, listener)
                    .orElse(Node.noNode()));
        }
        Optional<Uuid> id = count.map(known -> metadata.getTopicId(topic));
        return new TopicPartitionData(topic, count, id, leaders);
    }
}
