package io.gregor.transactions.internal;

import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;

/** Delivers markers to other brokers, and wakes who wants to try again. Shared: any thread; nothing here waits. */
public interface Delivery {
    /** Who hears what came of a marker; called on the thread that delivers. */
    interface Reply {
        /** One element a partition; partitions without one got no answer. */
        void received(Map<TopicPartition, Errors> errors);
    }

    /** Sends soon. */
    void send(Node destination, TxnMarkerEntry marker, Reply reply);

    /** Runs work after a while, on the thread that delivers; it must not block. */
    void later(long delayMs, Runnable work);
}
