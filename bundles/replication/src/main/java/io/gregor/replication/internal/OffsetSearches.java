package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.FoundOffset;
import io.gregor.internal.replication.Replicas.OffsetQuery;
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
import org.apache.kafka.server.purgatory.ListOffsetsPartitionStatus;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.AsyncOffsetReader;
import org.apache.kafka.storage.internals.log.OffsetResultHolder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds offsets for ListOffsets requests: at once in local logs, later in remote segments. Shared: any thread.
 */
final class OffsetSearches {
    private static final Logger LOGGER = LoggerFactory.getLogger(OffsetSearches.class);

    /** From this version on clients are told the leader epoch of the record. */
    private static final short LEADER_EPOCHS = 4;

    /** From this version on clients know that an offset may not be known yet. */
    private static final short NOT_AVAILABLE = 5;

    private final Partitions partitions;
    private final @Nullable RemoteSearches remote;

    OffsetSearches(BrokerContext broker, Partitions partitions) {
        this.partitions = partitions;
        this.remote = broker.remote() == null ? null : new RemoteSearches(broker.remote(), broker, partitions);
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
        if (isToWait && remote != null) {
            remote.await(timeoutMs, version, found, done);
        } else {
            done.accept(byTopic(found));
        }
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
        } catch (RuntimeException e) {
            LOGGER.error(
                    "offset could not be found: partition={} timestamp={}", query.partition(), query.timestamp(), e);
            return settled(answer(query, Errors.forException(e)));
        }
    }

    private OffsetResultHolder hold(OffsetQuery query, FetchIsolation isolation, boolean onlyFromLeader) {
        Optional<AsyncOffsetReader> reader = remote == null ? Optional.empty() : Optional.of(remote.reader());
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
