package io.gregor.node.internal;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;

/** The broker's values as defaults of the topics' keys. Immutable. */
final class TopicDefaults {
    private TopicDefaults() {}

    /** What {@code LogConfig} takes, by the topic's key. */
    static Map<String, Object> of(AbstractKafkaConfig config) {
        Map<String, Object> defaults = new HashMap<>();
        segments(config, defaults);
        retention(config, defaults);
        compaction(config, defaults);
        messages(config, defaults);
        remote(new RemoteLogManagerConfig(config), defaults);
        return Map.copyOf(defaults);
    }

    private static void segments(AbstractKafkaConfig config, Map<String, Object> defaults) {
        defaults.put(TopicConfig.SEGMENT_BYTES_CONFIG, config.logSegmentBytes());
        defaults.put(TopicConfig.SEGMENT_MS_CONFIG, config.logRollTimeMillis());
        defaults.put(TopicConfig.SEGMENT_JITTER_MS_CONFIG, config.logRollTimeJitterMillis());
        defaults.put(TopicConfig.SEGMENT_INDEX_BYTES_CONFIG, config.logIndexSizeMaxBytes());
        defaults.put(TopicConfig.INDEX_INTERVAL_BYTES_CONFIG, config.logIndexIntervalBytes());
        defaults.put(TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG, config.logFlushIntervalMessages());
        defaults.put(TopicConfig.FLUSH_MS_CONFIG, config.logFlushIntervalMs());
        defaults.put(TopicConfig.PREALLOCATE_CONFIG, config.logPreAllocateEnable());
    }

    private static void retention(AbstractKafkaConfig config, Map<String, Object> defaults) {
        defaults.put(TopicConfig.CLEANUP_POLICY_CONFIG, config.logCleanupPolicy());
        defaults.put(TopicConfig.RETENTION_BYTES_CONFIG, config.logRetentionBytes());
        defaults.put(TopicConfig.RETENTION_MS_CONFIG, config.logRetentionTimeMillis());
        defaults.put(TopicConfig.FILE_DELETE_DELAY_MS_CONFIG, config.logDeleteDelayMs());
    }

    private static void compaction(AbstractKafkaConfig config, Map<String, Object> defaults) {
        defaults.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, config.logCleanerDeleteRetentionMs());
        defaults.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, config.logCleanerMinCompactionLagMs());
        defaults.put(TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, config.logCleanerMaxCompactionLagMs());
        defaults.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, config.logCleanerMinCleanRatio());
    }

    private static void messages(AbstractKafkaConfig config, Map<String, Object> defaults) {
        defaults.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, config.getInt(ServerConfigs.MESSAGE_MAX_BYTES_CONFIG));
        defaults.put(
                TopicConfig.MAX_DECOMPRESSED_MESSAGE_BYTES_CONFIG,
                config.getInt(ServerConfigs.MAX_DECOMPRESSED_MESSAGE_BYTES_CONFIG));
        defaults.put(TopicConfig.COMPRESSION_TYPE_CONFIG, config.getString(ServerConfigs.COMPRESSION_TYPE_CONFIG));
        defaults.put(
                TopicConfig.COMPRESSION_GZIP_LEVEL_CONFIG, config.getInt(ServerConfigs.COMPRESSION_GZIP_LEVEL_CONFIG));
        defaults.put(
                TopicConfig.COMPRESSION_LZ4_LEVEL_CONFIG, config.getInt(ServerConfigs.COMPRESSION_LZ4_LEVEL_CONFIG));
        defaults.put(
                TopicConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, config.getInt(ServerConfigs.COMPRESSION_ZSTD_LEVEL_CONFIG));
        defaults.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, config.logMessageTimestampType().name);
        defaults.put(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, config.logMessageTimestampBeforeMaxMs());
        defaults.put(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, config.logMessageTimestampAfterMaxMs());
        defaults.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, config.minInSyncReplicas());
        defaults.put(
                TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
                config.getBoolean(ReplicationConfigs.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG));
    }

    private static void remote(RemoteLogManagerConfig config, Map<String, Object> defaults) {
        defaults.put(TopicConfig.LOCAL_LOG_RETENTION_MS_CONFIG, config.logLocalRetentionMs());
        defaults.put(TopicConfig.LOCAL_LOG_RETENTION_BYTES_CONFIG, config.logLocalRetentionBytes());
        defaults.put(TopicConfig.REMOTE_COPY_LAG_MS_CONFIG, config.logRemoteCopyLagMs());
        defaults.put(TopicConfig.REMOTE_COPY_LAG_BYTES_CONFIG, config.logRemoteCopyLagBytes());
    }
}
