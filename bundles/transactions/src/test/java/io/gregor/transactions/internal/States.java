package io.gregor.transactions.internal;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;

/** Transactions of the producer 1000, for tests. Immutable. */
final class States {
    static final long NOW_MS = 100_000;
    static final int TIMEOUT_MS = 60_000;
    static final String ID = "id";
    static final TopicPartition PARTITION = new TopicPartition("topic", 0);

    private States() {}

    static Transition at(TxnTransitMetadata present) {
        return new Transition(ID, present, NOW_MS);
    }

    static TxnTransitMetadata unborn() {
        return Transition.unborn(1000, TIMEOUT_MS, NOW_MS);
    }

    static TxnTransitMetadata empty(int epoch) {
        return new TransactionMetadata(
                        ID,
                        1000,
                        -1,
                        -1,
                        (short) epoch,
                        (short) -1,
                        TIMEOUT_MS,
                        TransactionState.EMPTY,
                        Set.of(),
                        -1,
                        NOW_MS - 1000,
                        TransactionVersion.TV_0)
                .prepareNoTransit();
    }

    /** Begun a second ago with the partition topic-0. */
    static TxnTransitMetadata ongoing(int epoch, TransactionVersion client) {
        return new Transition(ID, empty(epoch), NOW_MS - 1000).add(Set.of(PARTITION), client);
    }

    static TxnTransitMetadata prepared(int epoch, TransactionResult result, TransactionVersion client) {
        return at(ongoing(epoch, client)).end(result, client, -1);
    }
}
