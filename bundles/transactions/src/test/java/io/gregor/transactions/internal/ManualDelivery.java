package io.gregor.transactions.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;

/** Delivers when a test says so. Owned by the test's thread. */
final class ManualDelivery implements Delivery {
    private final List<Integer> destinations = new ArrayList<>();
    private final Queue<Reply> replies = new ArrayDeque<>();
    private final Queue<Runnable> later = new ArrayDeque<>();

    @Override
    public void send(Node destination, TxnMarkerEntry marker, Reply reply) {
        destinations.add(destination.id());
        replies.add(reply);
    }

    @Override
    public void later(long delayMs, Runnable work) {
        later.add(work);
    }

    List<Integer> destinations() {
        return destinations;
    }

    void answer(Map<TopicPartition, Errors> errors) {
        replies.remove().received(errors);
    }

    void runLater() {
        later.remove().run();
    }

    boolean isEmpty() {
        return replies.isEmpty() && later.isEmpty();
    }
}
