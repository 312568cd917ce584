package io.gregor.internal.transactions;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;

/**
 * Ends transactions in the partitions that this broker leads. A service with the property {@code role}. Shared: any thread;
 * nothing here waits.
 */
public interface TransactionMarkers {
    /**
     * Appends a marker to partitions led here; those of {@code __consumer_offsets} through the group coordinator, which
     * makes the offsets of the transaction valid or drops them.
     *
     * @param marker the marker and its partitions
     * @return ends when each partition has refused the marker or all in sync have it, never with an exception: one element
     *     for each partition. UNKNOWN_TOPIC_OR_PARTITION and NOT_LEADER_OR_FOLLOWER where this broker does not lead,
     *     REQUEST_TIMED_OUT when followers took too long; what a coordinator does with an error is that of Kafka's
     *     TransactionMarkerRequestCompletionHandler
     */
    CompletableFuture<Map<TopicPartition, Errors>> append(TxnMarkerEntry marker);
}
