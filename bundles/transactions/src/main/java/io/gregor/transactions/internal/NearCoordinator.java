package io.gregor.transactions.internal;

import com.yammer.metrics.core.Histogram;
import com.yammer.metrics.core.Meter;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.server.common.TransactionVersion;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.AppendCallback;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;

/**
 * Asks the coordinator of this broker where it is the one, without the network; the others are asked by Kafka's manager, with
 * the same answers and figures. Shared: any thread.
 */
public final class NearCoordinator implements CoordinatorInquiry {
    private final TransactionCoordinator coordinator;
    private final Predicate<TopicPartition> isLeader;
    private final CoordinatorInquiry others;
    private final Time time;
    private final Meter failures;
    private final Histogram timeMs;

    /**
     * The coordinator here, and how to ask others.
     *
     * @param isLeader whether this broker leads a partition
     */
    public NearCoordinator(
            TransactionCoordinator coordinator,
            Predicate<TopicPartition> isLeader,
            CoordinatorInquiry others,
            Time time) {
        this.coordinator = coordinator;
        this.isLeader = isLeader;
        this.others = others;
        this.time = time;
        KafkaMetricsGroup metrics = new KafkaMetricsGroup("kafka.server", "AddPartitionsToTxnManager");
        failures = metrics.newMeter(
                AddPartitionsToTxnManager.VERIFICATION_FAILURE_RATE_METRIC_NAME, "failures", TimeUnit.SECONDS);
        timeMs = metrics.newHistogram(AddPartitionsToTxnManager.VERIFICATION_TIME_MS_METRIC_NAME);
    }

    @Override
    public void addOrVerifyTransaction(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Collection<TopicPartition> partitions,
            AppendCallback refused,
            TransactionSupportedOperation operation) {
        TopicPartition place =
                new TopicPartition(Topic.TRANSACTION_STATE_TOPIC_NAME, coordinator.partitionFor(transactionalId));
        if (!isLeader.test(place)) {
            others.addOrVerifyTransaction(transactionalId, producerId, producerEpoch, partitions, refused, operation);
            return;
        }
        long startMs = time.milliseconds();
        ProducerIdAndEpoch producer = new ProducerIdAndEpoch(producerId, producerEpoch);
        var unused = ask(transactionalId, producer, partitions, operation)
                .exceptionally(fault -> forEach(partitions, Errors.forException(fault)))
                .thenAccept(answers -> {
                    Map<TopicPartition, Errors> errors = errors(answers, operation);
                    failures.mark(errors.size());
                    timeMs.update(time.milliseconds() - startMs);
                    refused.complete(errors);
                });
    }

    private CompletableFuture<Map<TopicPartition, Errors>> ask(
            String transactionalId,
            ProducerIdAndEpoch producer,
            Collection<TopicPartition> partitions,
            TransactionSupportedOperation operation) {
        return operation.supportsEpochBump
                ? coordinator
                        .addPartitions(transactionalId, producer, partitions, TransactionVersion.TV_2)
                        .thenApply(error -> forEach(partitions, error))
                : coordinator.verifyPartitions(transactionalId, producer, partitions);
    }

    private static Map<TopicPartition, Errors> forEach(Collection<TopicPartition> partitions, Errors error) {
        Map<TopicPartition, Errors> all = new HashMap<>();
        partitions.forEach(partition -> all.put(partition, error));
        return all;
    }

    /** What is no error falls out; the rest is told in words that a producer of that version knows. */
    private static Map<TopicPartition, Errors> errors(
            Map<TopicPartition, Errors> answers, TransactionSupportedOperation operation) {
        Map<TopicPartition, Errors> errors = new HashMap<>();
        answers.forEach((partition, error) -> {
            if (error != Errors.NONE) {
                errors.put(partition, asForProducers(error, operation));
            }
        });
        return errors;
    }

    private static Errors asForProducers(Errors error, TransactionSupportedOperation operation) {
        if (error == Errors.PRODUCER_FENCED) {
            return Errors.INVALID_PRODUCER_EPOCH;
        }
        return error == Errors.TRANSACTION_ABORTABLE && operation == TransactionSupportedOperation.DEFAULT_ERROR
                ? Errors.INVALID_TXN_STATE
                : error;
    }
}
