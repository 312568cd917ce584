package io.gregor.handlers.data;

import io.gregor.internal.share.SharePartitions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.context.FinalContext;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.context.ShareSessionContext;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.jspecify.annotations.Nullable;

/** Share partitions that do as a test says. Owned by the test's thread. */
final class FakeShares implements SharePartitions {
    static final int LOCK_MS = 30_000;

    /** What was asked, in order: of sessions the epoch, of fetches and acknowledgements the topics. */
    final List<String> calls = new ArrayList<>();

    final List<Wanted> wanted = new ArrayList<>();
    final Map<TopicIdPartition, ApiError> outcomes = new LinkedHashMap<>();
    final CompletableFuture<Void> written = new CompletableFuture<>();
    boolean isRenewable = true;
    boolean isWaiting;

    @Nullable
    ApiException refusal;

    @Override
    public ShareFetchContext session(SessionStep step) {
        calls.add("session " + step.epoch());
        if (refusal != null) {
            throw refusal;
        }
        return step.epoch() < 0 ? new FinalContext() : new ShareSessionContext(0, step.added());
    }

    @Override
    public void acknowledging(ShareSessionKey member, int epoch) {
        calls.add("acknowledging " + epoch);
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public void closeSession(ShareSessionKey member) {
        calls.add("close " + member.memberId());
    }

    /** Of each partition one record; if it waits, nothing, as soon as the wait ends. */
    @Override
    public @Nullable Runnable fetch(
            Wanted asked, List<TopicIdPartition> partitions, Consumer<Map<TopicIdPartition, PartitionData>> done) {
        calls.add("fetch " + topics(partitions));
        wanted.add(asked);
        Map<TopicIdPartition, PartitionData> all = new LinkedHashMap<>();
        partitions.forEach(one -> all.put(one, new PartitionData().setPartitionIndex(one.partition())));
        if (isWaiting) {
            return () -> done.accept(all);
        }
        all.values().forEach(one -> one.setRecords(DataFixture.records("a"))
                .setAcquiredRecords(List.of(new AcquiredRecords().setDeliveryCount((short) 1))));
        done.accept(all);
        return null;
    }

    @Override
    public CompletableFuture<Map<TopicIdPartition, ApiError>> acknowledge(
            ShareSessionKey member, Map<TopicIdPartition, List<ShareAcknowledgementBatch>> batches) {
        if (batches.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        calls.add("acknowledge " + topics(batches.keySet()));
        Map<TopicIdPartition, ApiError> all = new LinkedHashMap<>();
        batches.keySet().forEach(one -> all.put(one, outcomes.getOrDefault(one, ApiError.NONE)));
        return written.thenApply(done -> all);
    }

    private static String topics(Iterable<TopicIdPartition> partitions) {
        List<String> topics = new ArrayList<>();
        partitions.forEach(one -> topics.add(one.topic() + "-" + one.partition()));
        return String.join(",", topics);
    }

    @Override
    public int lockDurationMs(String groupId) {
        return LOCK_MS;
    }

    @Override
    public boolean isRenewable(String groupId) {
        return isRenewable;
    }
}
