package io.gregor.replication.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.server.LogDeleteRecordsResult;
import org.apache.kafka.server.purgatory.DelayedDeleteRecords;
import org.apache.kafka.server.purgatory.DeleteRecordsPartitionStatus;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes records from the start of led logs, and waits until followers have done so too. Shared: any thread. */
final class Deletions {
    private static final Logger LOGGER = LoggerFactory.getLogger(Deletions.class);

    private final WaitingOperations waiting;
    private final Partitions partitions;

    Deletions(BrokerContext broker, Partitions partitions) {
        this.waiting = broker.waiting();
        this.partitions = partitions;
    }

    /** Deletes from several partitions and answers when all are done. */
    void delete(
            long timeoutMs,
            Map<TopicPartition, Long> offsets,
            boolean internalTopicsAllowed,
            Consumer<Map<TopicPartition, DeleteRecordsPartitionResult>> done) {
        Map<TopicPartition, DeleteRecordsPartitionStatus> states = new HashMap<>();
        List<TopicPartitionOperationKey> keys = new ArrayList<>();
        boolean isDone = true;
        for (Map.Entry<TopicPartition, Long> entry : offsets.entrySet()) {
            TopicPartition partition = entry.getKey();
            LogDeleteRecordsResult result = deleteLocally(partition, entry.getValue(), internalTopicsAllowed);
            states.put(partition, status(partition, result));
            keys.add(new TopicPartitionOperationKey(partition));
            isDone &= result.exception().isPresent() || result.lowWatermark() >= result.requestedOffset();
        }
        if (isDone) {
            Map<TopicPartition, DeleteRecordsPartitionResult> answer = new HashMap<>();
            states.forEach((partition, status) -> answer.put(partition, status.responseStatus()));
            done.accept(answer);
        } else {
            waiting.deletions()
                    .tryCompleteElseWatch(new DelayedDeleteRecords(timeoutMs, states, this::look, done), keys);
        }
    }

    /** Deletes from one partition; fails with the error that a client would be told. */
    CompletableFuture<Void> deleteBefore(
            long timeoutMs, TopicPartition partition, long offset, boolean internalTopicsAllowed) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        delete(timeoutMs, Map.of(partition, offset), internalTopicsAllowed, results -> {
            DeleteRecordsPartitionResult result = results.get(partition);
            Errors error = result == null ? Errors.UNKNOWN_SERVER_ERROR : Errors.forCode(result.errorCode());
            if (error == Errors.NONE) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(error.exception());
            }
        });
        return ended;
    }

    private LogDeleteRecordsResult deleteLocally(TopicPartition partition, long offset, boolean internalTopicsAllowed) {
        try {
            if (!internalTopicsAllowed && Topic.isInternal(partition.topic())) {
                throw new InvalidTopicException("Cannot delete records of internal topic " + partition.topic());
            }
            return PartitionAppends.deleteRecords(partitions.require(partition), offset);
        } catch (ApiException e) {
            return failed(e);
        } catch (RuntimeException e) {
            LOGGER.error("records could not be deleted: partition={} offset={}", partition, offset, e);
            return failed(e);
        }
    }

    private static LogDeleteRecordsResult failed(RuntimeException fault) {
        return new LogDeleteRecordsResult(
                DeleteRecordsResponse.INVALID_LOW_WATERMARK,
                DeleteRecordsResponse.INVALID_LOW_WATERMARK,
                Optional.of(fault));
    }

    private static DeleteRecordsPartitionStatus status(TopicPartition partition, LogDeleteRecordsResult result) {
        return new DeleteRecordsPartitionStatus(
                result.requestedOffset(),
                new DeleteRecordsPartitionResult()
                        .setPartitionIndex(partition.partition())
                        .setLowWatermark(result.lowWatermark())
                        .setErrorCode(result.error().code()));
    }

    /** Looks whether the followers of one partition have followed, or never will. */
    private void look(TopicPartition topicPartition, DeleteRecordsPartitionStatus status) {
        Errors error = partitions.error(topicPartition);
        long lowWatermark = DeleteRecordsResponse.INVALID_LOW_WATERMARK;
        Partition partition = partitions.online(topicPartition);
        UnifiedLog log = partition == null ? null : partition.leaderLog();
        if (partition != null && log != null) {
            lowWatermark = partition.replicas().lowWatermark(log.logStartOffset());
        } else if (error == Errors.NONE) {
            error = Errors.NOT_LEADER_OR_FOLLOWER;
        }
        if (error != Errors.NONE || lowWatermark >= status.requiredOffset()) {
            status.setAcksPending(false);
            status.responseStatus().setErrorCode(error.code()).setLowWatermark(lowWatermark);
        }
    }
}
