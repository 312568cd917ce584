package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.Appended;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.LogAppendResult.LogAppendSummary;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.purgatory.DelayedProduce;
import org.apache.kafka.server.purgatory.DelayedProduce.PartitionStatusValidator;
import org.apache.kafka.server.purgatory.DelayedProduce.ProducePartitionStatus;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LeaderHwChange;
import org.apache.kafka.storage.internals.log.LogAppendInfo;
import org.apache.kafka.storage.internals.log.RecordValidationException;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicMetrics;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to local leaders and sees to it that whoever waited for the records is answered: first the producer, then, with no
 * partition's lock held, the waiting fetches. Shared: any thread.
 */
final class Appends {
    private static final Logger LOGGER = LoggerFactory.getLogger(Appends.class);
    private static final short ALL_IN_SYNC = -1;

    private final WaitingOperations waiting;
    private final Partitions partitions;
    private final BrokerTopicStats topicStats;

    Appends(BrokerContext broker, Partitions partitions) {
        this.waiting = broker.waiting();
        this.partitions = partitions;
        this.topicStats = broker.logs().topicStats();
    }

    /** Appends for a producer, and answers when the records are acknowledged. */
    void append(
            short requiredAcks,
            long timeoutMs,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            List<PartitionRecords> records,
            RequestLocal local,
            Appended done) {
        if (requiredAcks < ALL_IN_SYNC || requiredAcks > 1) {
            done.acknowledged(ProduceResponses.invalidAcks(records.size()));
            return;
        }
        List<LogAppendResult> results = new ArrayList<>(records.size());
        List<PartitionResponse> responses = new ArrayList<>(records.size());
        boolean isAcknowledged = true;
        for (PartitionRecords one : records) {
            LogAppendResult result = appendOne(
                    one.partition(),
                    one.records(),
                    requiredAcks,
                    internalTopicsAllowed,
                    origin,
                    local,
                    one.guard(),
                    one.transactionVersion());
            done.checked(result.logAppendSummary().recordValidationStats());
            results.add(result);
            responses.add(ProduceResponses.of(result));
            isAcknowledged &= requiredAcks != ALL_IN_SYNC || isAcknowledged(one.partition(), result);
        }
        try {
            if (isAcknowledged) {
                done.acknowledged(responses);
            } else {
                await(timeoutMs, records, results, responses, done);
            }
        } finally {
            for (int i = 0; i < results.size(); i++) {
                wakeUp(records.get(i).partition(), results.get(i));
            }
        }
    }

    /** Appends without waiting for followers. */
    Map<TopicIdPartition, LogAppendResult> appendToLeaders(
            short requiredAcks,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            Map<TopicIdPartition, MemoryRecords> records,
            RequestLocal local,
            Map<TopicPartition, VerificationGuard> guards,
            short transactionVersion) {
        Map<TopicIdPartition, LogAppendResult> results = new HashMap<>();
        records.forEach((partition, batch) -> results.put(
                partition,
                appendOne(
                        partition,
                        batch,
                        requiredAcks,
                        internalTopicsAllowed,
                        origin,
                        local,
                        guards.getOrDefault(partition.topicPartition(), VerificationGuard.SENTINEL),
                        transactionVersion)));
        results.forEach(this::wakeUp);
        return results;
    }

    private LogAppendResult appendOne(
            TopicIdPartition target,
            MemoryRecords records,
            short requiredAcks,
            boolean internalTopicsAllowed,
            AppendOrigin origin,
            RequestLocal local,
            VerificationGuard guard,
            short transactionVersion) {
        BrokerTopicMetrics topic = topicStats.topicStats(target.topic());
        BrokerTopicMetrics all = topicStats.allTopicsStats();
        topic.totalProduceRequestRate().mark();
        all.totalProduceRequestRate().mark();
        try {
            if (!internalTopicsAllowed && Topic.isInternal(target.topic())) {
                throw new InvalidTopicException("Cannot append to internal topic " + target.topic());
            }
            Partition partition = partitions.require(target);
            LogAppendSummary appended =
                    PartitionAppends.append(partition, records, origin, requiredAcks, local, guard, transactionVersion);
            markAppended(topic, records, appended);
            markAppended(all, records, appended);
            return new LogAppendResult(appended, Optional.empty(), false);
        } catch (RuntimeException e) {
            return failed(target, records, e);
        }
    }

    private static void markAppended(BrokerTopicMetrics stats, MemoryRecords records, LogAppendSummary appended) {
        stats.bytesInRate().mark(records.sizeInBytes());
        long messages = appended.lastOffset() - appended.firstOffset() + 1;
        if (messages > 0 && appended.firstOffset() >= 0) {
            stats.messagesInRate().mark(messages);
        }
        int converted = appended.recordValidationStats().numRecordsConverted();
        if (converted > 0) {
            stats.produceMessageConversionsRate().mark(converted);
        }
    }

    private LogAppendResult failed(TopicIdPartition target, MemoryRecords records, RuntimeException fault) {
        if (fault instanceof RecordValidationException invalid) {
            long start = countFailure(target, records, invalid.invalidException());
            LogAppendInfo info = LogAppendInfo.unknownLogAppendInfoWithAdditionalInfo(start, invalid.recordErrors());
            return new LogAppendResult(
                    LogAppendSummary.fromAppendInfo(info), Optional.of(invalid.invalidException()), true);
        }
        if (isExpected(fault)) {
            return new LogAppendResult(
                    LogAppendSummary.fromAppendInfo(LogAppendInfo.UNKNOWN_LOG_APPEND_INFO), Optional.of(fault), false);
        }
        long start = countFailure(target, records, fault);
        LogAppendInfo info = LogAppendInfo.unknownLogAppendInfoWithLogStartOffset(start);
        return new LogAppendResult(LogAppendSummary.fromAppendInfo(info), Optional.of(fault), false);
    }

    /** What clients meet in normal operation is not counted as a failed request. */
    private static boolean isExpected(RuntimeException fault) {
        return fault instanceof UnknownTopicOrPartitionException
                || fault instanceof NotLeaderOrFollowerException
                || fault instanceof RecordTooLargeException
                || fault instanceof RecordBatchTooLargeException
                || fault instanceof CorruptRecordException
                || fault instanceof KafkaStorageException
                || fault instanceof UnknownTopicIdException
                || fault instanceof InvalidTopicException;
    }

    private long countFailure(TopicIdPartition target, MemoryRecords records, RuntimeException fault) {
        topicStats.topicStats(target.topic()).failedProduceRequestRate().mark();
        topicStats.allTopicsStats().failedProduceRequestRate().mark();
        if (fault instanceof ApiException || !ReadableBatches.areReadable(records)) {
            LOGGER.debug("append refused: partition={} reason={}", target, fault.getMessage());
        } else {
            LOGGER.error("append failed: partition={}", target, fault);
        }
        Partition partition = partitions.online(target.topicPartition());
        UnifiedLog log = partition == null ? null : partition.log();
        return log == null ? ProduceResponse.INVALID_OFFSET : log.logStartOffset();
    }

    private boolean isAcknowledged(TopicIdPartition target, LogAppendResult result) {
        return result.exception().isPresent() || isSettled(validate(target.topicPartition(), requiredOffset(result)));
    }

    private static boolean isSettled(PartitionStatusValidator.Result state) {
        return state.hasEnough() && state.error() == Errors.NONE;
    }

    private static long requiredOffset(LogAppendResult result) {
        return result.logAppendSummary().lastOffset() + 1;
    }

    /** Whether a partition's records before an offset are acknowledged by all in sync. */
    private PartitionStatusValidator.Result validate(TopicPartition topicPartition, long requiredOffset) {
        Partition partition = partitions.online(topicPartition);
        return partition == null
                ? new PartitionStatusValidator.Result(false, partitions.error(topicPartition))
                : PartitionAppends.acknowledged(partition, requiredOffset);
    }

    private void await(
            long timeoutMs,
            List<PartitionRecords> records,
            List<LogAppendResult> results,
            List<PartitionResponse> responses,
            Appended done) {
        Map<TopicIdPartition, ProducePartitionStatus> states = new LinkedHashMap<>();
        List<TopicPartitionOperationKey> keys = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            TopicIdPartition target = records.get(i).partition();
            states.put(target, new ProducePartitionStatus(requiredOffset(results.get(i)), responses.get(i)));
            keys.add(new TopicPartitionOperationKey(target));
        }
        waiting.produces()
                .tryCompleteElseWatch(
                        new DelayedProduce(timeoutMs, states, this::validate, settled -> {
                            ProduceResponses.settleRepeated(records, responses, settled);
                            done.acknowledged(responses);
                        }),
                        keys);
    }

    private void wakeUp(TopicIdPartition target, LogAppendResult result) {
        LeaderHwChange change = result.logAppendSummary().leaderHwChange();
        if (change == LeaderHwChange.NONE) {
            return;
        }
        Partition partition = partitions.find(target.topicPartition());
        if (partition == null) {
            return;
        }
        if (change == LeaderHwChange.INCREASED) {
            waiting.highWatermarkMoved(partition.key());
        } else {
            waiting.logEndMoved(partition.key());
        }
    }
}
