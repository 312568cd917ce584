package io.gregor.share.internal;

import com.yammer.metrics.core.Meter;
import io.gregor.internal.share.SharePartitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.server.share.ShareGroupListener;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.fetch.PartitionRotateStrategy;
import org.apache.kafka.server.share.fetch.PartitionRotateStrategy.PartitionRotateMetadata;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.apache.kafka.storage.log.metrics.BrokerTopicMetrics;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/**
 * The share partitions of this broker: loaded with the first fetch that asks for them, gone when they are led elsewhere or
 * their group has no members here. Shared: any thread.
 */
public final class LedSharePartitions implements SharePartitions, ShareGroupListener {
    private static final PartitionRotateStrategy ROTATION =
            PartitionRotateStrategy.type(PartitionRotateStrategy.StrategyType.ROUND_ROBIN);

    private final Map<SharePartitionKey, SharePartition> partitions = new ConcurrentHashMap<>();
    private final ShareContext context;
    private final ShareSessions sessions;
    private final ShareFetches fetches;

    LedSharePartitions(ShareContext context, ShareSessions sessions, ShareFetches fetches) {
        this.context = context;
        this.sessions = sessions;
        this.fetches = fetches;
    }

    @Override
    public ShareFetchContext session(SessionStep step) {
        return sessions.step(step);
    }

    @Override
    public void acknowledging(ShareSessionKey member, int epoch) {
        sessions.acknowledging(member, epoch);
    }

    @Override
    public void closeSession(ShareSessionKey member) {
        onMemberLeave(member.groupId(), member.memberId());
    }

    @Override
    public @Nullable Runnable fetch(
            Wanted wanted, List<TopicIdPartition> asked, Consumer<Map<TopicIdPartition, PartitionData>> done) {
        if (asked.isEmpty()) {
            done.accept(Map.of());
            return null;
        }
        count(asked, BrokerTopicMetrics::totalShareFetchRequestRate);
        List<SharePartition> found = new ArrayList<>(asked.size());
        for (TopicIdPartition one : ROTATION.rotate(asked, new PartitionRotateMetadata(wanted.sessionEpoch()))) {
            found.add(open(new SharePartitionKey(wanted.member().groupId(), one)));
        }
        return fetches.fetch(context, wanted, found, fetched -> {
            count(failed(fetched), BrokerTopicMetrics::failedShareFetchRequestRate);
            done.accept(fetched);
        });
    }

    private static List<TopicIdPartition> failed(Map<TopicIdPartition, PartitionData> fetched) {
        return fetched.entrySet().stream()
                .filter(one -> one.getValue().errorCode() != Errors.NONE.code())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Counts a request once for each topic and once for all. */
    private void count(Collection<TopicIdPartition> partitions, Function<BrokerTopicMetrics, Meter> meter) {
        if (partitions.isEmpty()) {
            return;
        }
        BrokerTopicStats stats = context.replicas().topicStats();
        Set<String> counted = new HashSet<>();
        for (TopicIdPartition partition : partitions) {
            if (counted.add(partition.topic())) {
                meter.apply(stats.topicStats(partition.topic())).mark();
                meter.apply(stats.allTopicsStats()).mark();
            }
        }
    }

    private SharePartition open(SharePartitionKey key) {
        SharePartition open = partitions.get(key);
        if (open == null) {
            open = partitions.computeIfAbsent(key, this::create);
        }
        open.load();
        return open;
    }

    private SharePartition create(SharePartitionKey key) {
        int leaderEpoch = context.replicas()
                .leader(key.topicIdPartition().topicPartition())
                .leaderEpoch();
        return new SharePartition(key, context, leaderEpoch, ended -> partitions.remove(key, ended));
    }

    @Override
    public CompletableFuture<Map<TopicIdPartition, ApiError>> acknowledge(
            ShareSessionKey member, Map<TopicIdPartition, List<ShareAcknowledgementBatch>> batches) {
        count(batches.keySet(), BrokerTopicMetrics::totalShareAcknowledgementRequestRate);
        Map<TopicIdPartition, CompletableFuture<ApiError>> pending = new LinkedHashMap<>();
        batches.forEach((partition, acknowledged) -> pending.put(
                partition,
                acknowledge(member, partition, acknowledged)
                        .handle((done, fault) -> fault == null ? ApiError.NONE : ApiError.fromThrowable(fault))));
        context.wakes().run();
        return CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<TopicIdPartition, ApiError> errors = new LinkedHashMap<>();
                    List<TopicIdPartition> refused = new ArrayList<>();
                    pending.forEach((partition, error) -> {
                        ApiError outcome = error.join();
                        errors.put(partition, outcome);
                        if (outcome.isFailure()) {
                            refused.add(partition);
                        }
                    });
                    count(refused, BrokerTopicMetrics::failedShareAcknowledgementRequestRate);
                    return errors;
                });
    }

    private CompletableFuture<Void> acknowledge(
            ShareSessionKey member, TopicIdPartition partition, List<ShareAcknowledgementBatch> batches) {
        SharePartition found = partitions.get(new SharePartitionKey(member.groupId(), partition));
        if (found == null) {
            return CompletableFuture.failedFuture(Errors.UNKNOWN_TOPIC_OR_PARTITION.exception());
        }
        for (ShareAcknowledgementBatch batch : batches) {
            Acknowledgements.byType(batch, (first, last, type) -> {
                if (type != RecordsInFlight.GAP) {
                    context.metrics().recordAcknowledgement(type, last - first + 1);
                }
            });
        }
        return found.acknowledge(member.memberId(), batches);
    }

    @Override
    public int lockDurationMs(String groupId) {
        return context.settings().lockDurationMs(groupId);
    }

    @Override
    public boolean isRenewable(String groupId) {
        return context.settings().isRenewable(groupId);
    }

    /**
     * The session of a member ends, in whatever way: what it has is free. The session goes first, so that nothing is given to
     * the member after that.
     */
    @Override
    public void onMemberLeave(String groupId, String memberId) {
        sessions.close(new ShareSessionKey(groupId, memberId));
        for (SharePartition partition : partitions.values()) {
            if (partition.key().groupId().equals(groupId)) {
                partition.release(memberId);
            }
        }
    }

    /** Nobody of the group is here: its state need not be either. */
    @Override
    public void onGroupEmpty(String groupId) {
        for (SharePartition partition : partitions.values()) {
            if (partition.key().groupId().equals(groupId)) {
                partition.abandon();
            }
        }
    }

    /** Share groups are served no more: all sessions end, and all share partitions. */
    void turnOff() {
        sessions.closeAll();
        close();
    }

    /** Ends all share partitions. */
    void close() {
        partitions.values().forEach(partition -> partition.end(Errors.NOT_LEADER_OR_FOLLOWER));
    }
}
