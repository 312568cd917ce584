package io.gregor.broker.internal;

import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.broker.StreamsTopicCreation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.share.ShareCoordinatorConfig;
import org.apache.kafka.coordinator.transaction.TransactionLogConfig;
import org.apache.kafka.server.AutoTopicCreationManager;
import org.apache.kafka.server.DefaultAutoTopicCreationManager;
import org.apache.kafka.server.KRaftTopicCreator;
import org.apache.kafka.server.TopicCreator;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.apache.kafka.server.record.BrokerCompressionType;
import org.jspecify.annotations.Nullable;

/** Adapts Kafka's automatic topic creation, and tells it what internal topics look like. Shared: any thread. */
public final class TopicCreation implements AutoTopics, StreamsTopicCreation, AutoCloseable {
    private final AutoTopicCreationManager kafka;
    private final Time time;

    private TopicCreation(AutoTopicCreationManager kafka, Time time) {
        this.kafka = kafka;
        this.time = time;
    }

    /** Creates topics over a channel to the controller, which its owner starts and shuts down. */
    public static TopicCreation over(
            NodeToControllerChannelManager channel,
            ServedImage served,
            AbstractKafkaConfig config,
            GroupCoordinator groups,
            Time time) {
        TopicCreator creator = new ShownTopicCreator(new KRaftTopicCreator(channel), served);
        return of(creator, config, groups::groupMetadataTopicConfigs, time);
    }

    static TopicCreation of(
            TopicCreator creator, AbstractKafkaConfig config, Supplier<Map<String, String>> groupTopic, Time time) {
        TransactionLogConfig transactions = new TransactionLogConfig(config);
        ShareCoordinatorConfig shares = new ShareCoordinatorConfig(config);
        return new TopicCreation(
                new DefaultAutoTopicCreationManager(
                        config,
                        groupTopic,
                        () -> transactionTopic(transactions),
                        () -> shareTopic(shares),
                        creator,
                        time),
                time);
    }

    @Override
    public List<MetadataResponseTopic> create(Set<String> names, @Nullable RequestContext who) {
        return who == null
                ? kafka.createTopics(names, ControllerMutationQuota.UNBOUNDED_CONTROLLER_MUTATION_QUOTA)
                : kafka.createTopics(names, ControllerMutationQuota.UNBOUNDED_CONTROLLER_MUTATION_QUOTA, who);
    }

    @Override
    public void create(Map<String, CreatableTopic> topics, RequestContext who, long keepErrorsMs) {
        kafka.createStreamsInternalTopics(topics, who, keepErrorsMs);
    }

    @Override
    public Map<String, String> errors(Set<String> names) {
        return kafka.getStreamsInternalTopicCreationErrors(names, time.milliseconds());
    }

    @Override
    public void close() {
        kafka.close();
    }

    private static Map<String, String> transactionTopic(TransactionLogConfig config) {
        return Map.of(
                TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                "false",
                TopicConfig.COMPRESSION_TYPE_CONFIG,
                BrokerCompressionType.UNCOMPRESSED.name,
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                Integer.toString(config.transactionTopicMinISR()),
                TopicConfig.SEGMENT_BYTES_CONFIG,
                Integer.toString(config.transactionTopicSegmentBytes()));
    }

    private static Map<String, String> shareTopic(ShareCoordinatorConfig config) {
        return Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_DELETE,
                TopicConfig.COMPRESSION_TYPE_CONFIG,
                BrokerCompressionType.PRODUCER.name,
                TopicConfig.SEGMENT_BYTES_CONFIG,
                Integer.toString(config.shareCoordinatorStateTopicSegmentBytes()),
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                Integer.toString(config.shareCoordinatorStateTopicMinIsr()),
                TopicConfig.RETENTION_MS_CONFIG,
                "-1");
    }
}
