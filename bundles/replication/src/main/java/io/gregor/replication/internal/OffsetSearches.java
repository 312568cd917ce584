package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.FoundOffset;
import io.gregor.internal.replication.Replicas.OffsetQuery;
import io.gregor.internal.storage.RemoteLogs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords.TimestampAndOffset;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.DelayedRemoteListOffsets;
import org.apache.kafka.server.purgatory.ListOffsetsPartitionStatus;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.AsyncOffsetReader;
import org.apache.kafka.storage.internals.log.OffsetResultHolder;
import org.jspecify.annotations.Nullable;

/**
 * Finds offsets for ListOffsets requests: at once in local logs, in remote segments on the remote log manager's threads while
 * the request waits in a purgatory (KIP-1075). Shared: any thread.
 */
final class OffsetSearches {
    /** From this version on clients are told the leader epoch of the record. */
    private static final short LEADER_EPOCHS = 4;

    /** From this version on clients know that an offset may not be known yet. */
    private static final short NOT_AVAILABLE = 5;

    private final Partitions partitions;
    private final @Nullable RemoteLogs remote;
    private final @Nullable DelayedOperationPurgatory<DelayedRemoteListOffsets> waiting;

    OffsetSearches(BrokerContext broker, Partitions partitions) {
        this.partitions = partitions;
        this.remote = broker.remote();
        this.waiting = remote == null ? null : broker.waiting().ofLeaders("RemoteListOffsets", broker.id(), 0);
    }

    /** Finds one offset in the local log; what is in remote segments only is not available. */
    FoundOffset find(OffsetQuery query, FetchIsolation isolation, boolean onlyFromLeader) {
        OffsetResultHolder held = hold(query, isolation, onlyFromLeader);
        if (held.futureHolderOpt().isPresent()) {
            held.futureHolderOpt().get().jobFuture().cancel(true);
            throw Errors.OFFSET_NOT_AVAILABLE.exception("the offset of timestamp=" + query.timestamp()
                    + " in partition=" + query.partition() + " is in remote storage");
        }
        Optional<TimestampAndOffset> found = visible(held);
        return found.map(one -> new FoundOffset(
                        one.offset, one.timestamp, one.leaderEpoch.orElse(ListOffsetsResponse.UNKNOWN_EPOCH)))
                .orElseGet(() -> new FoundOffset(
                        ListOffsetsResponse.UNKNOWN_OFFSET,
                        ListOffsetsResponse.UNKNOWN_TIMESTAMP,
                        ListOffsetsResponse.UNKNOWN_EPOCH));
    }

    /** Finds the offsets of a request. */
    void find(
            List<OffsetQuery> asked,
            FetchIsolation isolation,
            boolean onlyFromLeader,
            short version,
            long timeoutMs,
            Consumer<Collection<ListOffsetsTopicResponse>> done) {
        Map<TopicPartition, ListOffsetsPartitionStatus> found = new LinkedHashMap<>();
        boolean isToWait = false;
        for (OffsetQuery query : asked) {
            ListOffsetsPartitionStatus status = look(query, isolation, onlyFromLeader, version);
            isToWait |= status.futureHolderOpt().isPresent();
            found.put(query.partition(), status);
        }
        if (isToWait && waiting != null && remote != null) {
            await(timeoutMs > 0 ? timeoutMs : remote.listOffsetsTimeoutMs(), version, found, waiting, done);
        } else {
            done.accept(byTopic(found));
        }
    }

    private void await(
            long timeoutMs,
            short version,
            Map<TopicPartition, ListOffsetsPartitionStatus> found,
            DelayedOperationPurgatory<DelayedRemoteListOffsets> purgatory,
            Consumer<Collection<ListOffsetsTopicResponse>> done) {
        List<TopicPartitionOperationKey> keys = new ArrayList<>(found.size());
        found.keySet().forEach(partition -> keys.add(new TopicPartitionOperationKey(partition)));
        purgatory.tryCompleteElseWatch(
                new DelayedRemoteListOffsets(timeoutMs, version, found, partitions::require, done), keys);
        found.forEach((partition, status) -> status.futureHolderOpt().ifPresent(search -> {
            var unused = search.taskFuture()
                    .whenComplete(
                            (result, fault) -> purgatory.checkAndComplete(new TopicPartitionOperationKey(partition)));
        }));
    }

    private ListOffsetsPartitionStatus look(
            OffsetQuery query, FetchIsolation isolation, boolean onlyFromLeader, short version) {
        try {
            OffsetResultHolder held = hold(query, isolation, onlyFromLeader);
            if (held.futureHolderOpt().isPresent()) {
                return ListOffsetsPartitionStatus.builder()
                        .futureHolderOpt(held.futureHolderOpt())
                        .lastFetchableOffset(held.lastFetchableOffset())
                        .maybeOffsetsError(held.maybeOffsetsError())
                        .build();
            }
            ListOffsetsPartitionResponse answer = answer(query, Errors.NONE);
            visible(held).ifPresent(one -> {
                answer.setOffset(one.offset).setTimestamp(one.timestamp);
                if (version >= LEADER_EPOCHS) {
                    one.leaderEpoch.ifPresent(answer::setLeaderEpoch);
                }
            });
            return settled(answer);
        } catch (ApiException e) {
            Errors error = Errors.forException(e);
            boolean isUnknownError = error == Errors.OFFSET_NOT_AVAILABLE && version < NOT_AVAILABLE;
            return settled(answer(query, isUnknownError ? Errors.LEADER_NOT_AVAILABLE : error));
        }
    }

    private OffsetResultHolder hold(OffsetQuery query, FetchIsolation isolation, boolean onlyFromLeader) {
        Optional<AsyncOffsetReader> reader = remote == null ? Optional.empty() : Optional.of(remote.manager());
        return PartitionReads.offsetForTimestamp(
                partitions.require(query.partition()),
                query.timestamp(),
                isolation,
                query.currentLeaderEpoch(),
                onlyFromLeader,
                reader);
    }

    /** What was found, if the asker may see it; throws what a leader that does not know its own end yet answers. */
    private static Optional<TimestampAndOffset> visible(OffsetResultHolder held) {
        Optional<TimestampAndOffset> found = held.timestampAndOffsetOpt();
        Optional<Long> end = held.lastFetchableOffset();
        if (end.isPresent() && (found.isEmpty() || found.get().offset >= end.get())) {
            if (held.maybeOffsetsError().isPresent()) {
                throw held.maybeOffsetsError().get();
            }
            return Optional.empty();
        }
        return found;
    }

    private static ListOffsetsPartitionStatus settled(ListOffsetsPartitionResponse answer) {
        return ListOffsetsPartitionStatus.builder()
                .responseOpt(Optional.of(answer))
                .build();
    }

    private static ListOffsetsPartitionResponse answer(OffsetQuery query, Errors error) {
        return new ListOffsetsPartitionResponse()
                .setPartitionIndex(query.partition().partition())
                .setErrorCode(error.code())
                .setTimestamp(ListOffsetsResponse.UNKNOWN_TIMESTAMP)
                .setOffset(ListOffsetsResponse.UNKNOWN_OFFSET);
    }

    private static Collection<ListOffsetsTopicResponse> byTopic(Map<TopicPartition, ListOffsetsPartitionStatus> found) {
        Map<String, ListOffsetsTopicResponse> topics = new LinkedHashMap<>();
        found.forEach((partition, status) -> status.responseOpt().ifPresent(answer -> topics.computeIfAbsent(
                        partition.topic(), name -> new ListOffsetsTopicResponse().setName(name))
                .partitions()
                .add(answer)));
        return topics.values();
    }
}
