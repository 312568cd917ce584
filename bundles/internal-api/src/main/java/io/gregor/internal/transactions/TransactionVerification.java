package io.gregor.internal.transactions;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.apache.kafka.storage.internals.log.VerificationGuard;

/**
 * Sees to it that no batch is appended to a transaction that its coordinator does not know (KIP-890): asks the coordinator
 * whether partitions are in the transaction, or adds them. A service with the property {@code role}. Shared: any thread;
 * nothing here waits.
 */
public interface TransactionVerification {
    /**
     * What came of it.
     *
     * @param guards what to append with; a partition without one is appended to with {@link VerificationGuard#SENTINEL}
     * @param errors the partitions not to be appended to, with the coordinator's error or that of a partition not led here
     */
    record Verified(Map<TopicPartition, VerificationGuard> guards, Map<TopicPartition, Errors> errors) {
        /** Nothing was to be verified. */
        public static final Verified NOTHING = new Verified(Map.of(), Map.of());
    }

    /**
     * Verifies, where the log does not know the transaction yet.
     *
     * @param firstSequences the partitions, led here, with the first sequence of what is to be appended, or
     *     {@code RecordBatch.NO_SEQUENCE}
     * @param operation what the client's version of its request makes of it
     * @return ends at once where the log knows the transaction or nothing is verified, else on another thread, which is not
     *     to be held up; never with an exception
     */
    CompletableFuture<Verified> verify(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, Integer> firstSequences,
            TransactionSupportedOperation operation);
}
