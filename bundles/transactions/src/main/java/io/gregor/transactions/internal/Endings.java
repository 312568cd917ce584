package io.gregor.transactions.internal;

import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Decides what EndTxn makes of a transaction, as Kafka's coordinator does. Immutable.
 *
 * @param newProducerIds called when a producer needs another id; its exception is the answer
 */
record Endings(LongSupplier newProducerIds) {
    private static final short LAST_EPOCH_OF_CLIENTS = Short.MAX_VALUE - 1;

    /** By the protocol of the client. */
    Decision end(Transition at, ProducerIdAndEpoch producer, TransactionResult result, TransactionVersion client) {
        return client.supportsEpochBump() ? endAndBump(at, producer, result, client) : endOnly(at, producer, result);
    }

    /** Versions 0 and 1 of the transaction protocol: the epoch stays, and so a second end of a kind cannot be told from a retry. */
    private static Decision endOnly(Transition at, ProducerIdAndEpoch producer, TransactionResult result) {
        TxnTransitMetadata present = at.from();
        Errors refusal = Beginnings.owner(present, producer);
        if (refusal != Errors.NONE) {
            return Decision.stay(refusal);
        }
        TransactionState state = present.txnState();
        if (Transition.isPrepared(state)) {
            // Kafka completes a decision in one go, and looks at nothing else of it until then
            return Decision.stay(Errors.CONCURRENT_TRANSACTIONS);
        }
        if (state == TransactionState.ONGOING) {
            return Decision.to(at.end(result, TransactionVersion.TV_0, RecordBatch.NO_PRODUCER_ID));
        }
        return Decision.stay(state == completed(result) ? Errors.NONE : Errors.INVALID_TXN_STATE);
    }

    /** Version 2 (KIP-890): each end takes an epoch, by which a retry is known. */
    private Decision endAndBump(
            Transition at, ProducerIdAndEpoch producer, TransactionResult result, TransactionVersion client) {
        TxnTransitMetadata present = at.from();
        TransactionState state = present.txnState();
        if (Transition.isPrepared(state)) {
            return Decision.stay(Errors.CONCURRENT_TRANSACTIONS);
        }
        boolean isRetryAfterBump = present.producerEpoch() == producer.epoch + 1;
        boolean isRetryAfterOverflow = present.prevProducerId() == producer.producerId
                && producer.epoch == LAST_EPOCH_OF_CLIENTS
                && present.producerEpoch() == 0;
        if (present.producerId() != producer.producerId && !isRetryAfterOverflow) {
            return Decision.stay(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        boolean isRetry = isRetryAfterBump || isRetryAfterOverflow;
        if (producer.epoch != present.producerEpoch() && !(isCompleted(state) && isRetry)) {
            return Decision.stay(Errors.PRODUCER_FENCED);
        }
        if (state == TransactionState.ONGOING) {
            return Decision.to(at.end(result, client, nextProducerId(at)));
        }
        if (isCompleted(state) && isRetry) {
            return Decision.stay(state == completed(result) ? Errors.NONE : Errors.INVALID_TXN_STATE);
        }
        return result == TransactionResult.ABORT
                ? Decision.to(at.end(result, client, nextProducerId(at)))
                : Decision.stay(Errors.INVALID_TXN_STATE);
    }

    private long nextProducerId(Transition at) {
        return at.metadata().isProducerEpochExhausted() ? newProducerIds.getAsLong() : RecordBatch.NO_PRODUCER_ID;
    }

    private static boolean isCompleted(TransactionState state) {
        return state == TransactionState.COMPLETE_COMMIT || state == TransactionState.COMPLETE_ABORT;
    }

    private static TransactionState completed(TransactionResult result) {
        return result == TransactionResult.COMMIT ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT;
    }
}
