package io.gregor.share.internal;

import java.util.function.Supplier;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.coordinator.group.GroupConfig;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.ShareGroupAutoOffsetResetStrategy;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfigProvider;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.storage.log.FetchIsolation;

/** What holds for a group now: its own settings, else the broker's. Shared: any thread. */
final class ShareSettings {
    private final ShareGroupConfig broker;
    private final GroupConfigManager groups;
    private final ShareGroupConfigProvider provider;
    private final Supplier<ShareVersion> version;

    /**
     * @param version the finalized level of {@code share.version}
     */
    ShareSettings(ShareGroupConfig broker, GroupConfigManager groups, Supplier<ShareVersion> version) {
        this.broker = broker;
        this.groups = groups;
        this.provider = new ShareGroupConfigProvider(groups);
        this.version = version;
    }

    Limits limits(String groupId) {
        return new Limits(
                provider.deliveryCountLimitOrDefault(groupId, broker.shareGroupDeliveryCountLimit()),
                provider.partitionMaxRecordLocksOrDefault(groupId, broker.shareGroupPartitionMaxRecordLocks()),
                hasDeadLetters(groupId));
    }

    private boolean hasDeadLetters(String groupId) {
        return version.get().supportsShareGroupDLQ()
                && provider.errorsDLQTopicName(groupId)
                        .filter(name -> !name.isEmpty())
                        .isPresent();
    }

    int lockDurationMs(String groupId) {
        return provider.recordLockDurationMsOrDefault(groupId, broker.shareGroupRecordLockDurationMs());
    }

    boolean isRenewable(String groupId) {
        return provider.isRenewAcknowledgeEnabled(groupId);
    }

    ShareGroupAutoOffsetResetStrategy autoOffsetReset(String groupId) {
        return provider.autoOffsetReset(groupId);
    }

    /** How far members see. */
    FetchIsolation isolation(String groupId) {
        IsolationLevel level = groups.groupConfig(groupId)
                .flatMap(GroupConfig::shareIsolationLevel)
                .orElseGet(GroupConfig::defaultShareIsolationLevel);
        return level == IsolationLevel.READ_COMMITTED ? FetchIsolation.TXN_COMMITTED : FetchIsolation.HIGH_WATERMARK;
    }
}
