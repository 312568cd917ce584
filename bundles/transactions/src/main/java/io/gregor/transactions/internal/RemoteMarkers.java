package io.gregor.transactions.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.InterBrokerSendThread;
import org.apache.kafka.server.util.RequestAndCompletionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends markers to other brokers, one request at a time to each with all that has come meanwhile, and wakes up for what is
 * to be tried again. Its queues hold at most what decisions are pending, each partition of each once. {@link #send} and {@link
 * #later} are for any thread, the rest is the sender thread's.
 */
public final class RemoteMarkers extends InterBrokerSendThread implements Delivery {
    private static final Logger LOGGER = LoggerFactory.getLogger(RemoteMarkers.class);

    private final Time time;
    private final ConcurrentLinkedQueue<Parcel> arrived = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Retry> arrivedRetries = new ConcurrentLinkedQueue<>();
    private final Map<Node, List<Parcel>> waiting = new HashMap<>();
    private final Set<Node> inFlight = new HashSet<>();
    private final PriorityQueue<Retry> retries = new PriorityQueue<>();

    private record Parcel(Node destination, TxnMarkerEntry marker, Reply reply) {}

    private record Retry(long dueMs, Runnable work) implements Comparable<Retry> {
        @Override
        public int compareTo(Retry other) {
            return Long.compare(dueMs, other.dueMs);
        }
    }

    public RemoteMarkers(int brokerId, KafkaClient client, int requestTimeoutMs, Time time) {
        super("TxnMarkerSenderThread-" + brokerId, client, requestTimeoutMs, time);
        this.time = time;
    }

    @Override
    public void send(Node destination, TxnMarkerEntry marker, Reply reply) {
        arrived.add(new Parcel(destination, marker, reply));
        wakeup();
    }

    @Override
    public void later(long delayMs, Runnable work) {
        arrivedRetries.add(new Retry(time.milliseconds() + delayMs, work));
        wakeup();
    }

    @Override
    public void doWork() {
        takeRetries();
        Retry next = retries.peek();
        pollOnce(next == null ? Long.MAX_VALUE : Math.max(0, next.dueMs() - time.milliseconds()));
    }

    private void takeRetries() {
        for (Retry retry = arrivedRetries.poll(); retry != null; retry = arrivedRetries.poll()) {
            retries.add(retry);
        }
        long nowMs = time.milliseconds();
        for (Retry due = retries.peek(); due != null && due.dueMs() <= nowMs; due = retries.peek()) {
            retries.poll();
            attempt(due.work());
        }
    }

    @Override
    public Collection<RequestAndCompletionHandler> generateRequests() {
        for (Parcel parcel = arrived.poll(); parcel != null; parcel = arrived.poll()) {
            waiting.computeIfAbsent(parcel.destination(), node -> new ArrayList<>())
                    .add(parcel);
        }
        List<RequestAndCompletionHandler> requests = new ArrayList<>();
        waiting.entrySet().removeIf(entry -> {
            if (!inFlight.add(entry.getKey())) {
                return false;
            }
            requests.add(request(entry.getKey(), entry.getValue()));
            return true;
        });
        return requests;
    }

    private RequestAndCompletionHandler request(Node node, List<Parcel> parcels) {
        List<TxnMarkerEntry> markers = parcels.stream().map(Parcel::marker).toList();
        return new RequestAndCompletionHandler(
                time.milliseconds(), node, new WriteTxnMarkersRequest.Builder(markers), response -> {
                    inFlight.remove(node);
                    Map<Long, Map<TopicPartition, Errors>> errors = errors(node, response);
                    parcels.forEach(parcel -> attempt(() -> parcel.reply()
                            .received(errors.getOrDefault(parcel.marker().producerId(), Map.of()))));
                });
    }

    private static Map<Long, Map<TopicPartition, Errors>> errors(Node node, ClientResponse response) {
        if (response.hasResponse() && response.responseBody() instanceof WriteTxnMarkersResponse answer) {
            return answer.errorsByProducerId();
        }
        if (response.authenticationException() != null) {
            LOGGER.error("broker refuses this broker's markers: node={}", node, response.authenticationException());
        } else if (response.versionMismatch() != null) {
            LOGGER.error("broker knows no markers: node={}", node, response.versionMismatch());
        } else {
            LOGGER.debug("broker cannot be reached: node={}", node);
        }
        return Map.of();
    }

    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException fault) {
            LOGGER.error("markers of a transaction failed", fault);
        }
    }
}
