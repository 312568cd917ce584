package io.gregor.transactions.internal;

import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code __transaction_state}: what a transactional id is now. Immutable.
 *
 * @param state null if the id is known no longer
 * @param version of the transaction protocol that the cluster has, which decides how the record is written
 */
public record TransactionRecord(
        String transactionalId, @Nullable TxnTransitMetadata state, TransactionVersion version) {}
