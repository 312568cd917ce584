package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.RequestAndCompletionHandler;
import org.junit.jupiter.api.Test;

class RemoteMarkersTest {
    private static final Node NEXT = new Node(2, "next", 9092);
    private static final Node FAR = new Node(3, "far", 9092);
    private static final TopicPartition PARTITION = States.PARTITION;

    private final List<Long> polls = new ArrayList<>();
    private int wakeups;
    private long nowMs = 1_000;
    private final RemoteMarkers markers = new RemoteMarkers(1, client(), 5_000, clock());
    private final List<Map<TopicPartition, Errors>> received = new ArrayList<>();

    @Test
    void eachBrokerGetsAllThatWaitsForItInOneRequestAtATime() {
        send(NEXT, 10);
        send(FAR, 11);
        send(NEXT, 12);

        Collection<RequestAndCompletionHandler> first = markers.generateRequests();
        assertThat(producers(to(NEXT, first))).containsExactly(10L, 12L);
        assertThat(producers(to(FAR, first))).containsExactly(11L);

        send(NEXT, 13);
        assertThat(markers.generateRequests()).as("one is under way").isEmpty();
        answer(to(NEXT, first), Map.of());
        assertThat(producers(to(NEXT, markers.generateRequests()))).containsExactly(13L);
        assertThat(wakeups).isEqualTo(4);
    }

    @Test
    void eachMarkerHearsOfItsOwnProducer() {
        send(NEXT, 10);
        send(NEXT, 11);
        send(NEXT, 12);

        answer(
                to(NEXT, markers.generateRequests()),
                Map.of(
                        10L, Map.of(PARTITION, Errors.NONE),
                        11L, Map.of(PARTITION, Errors.NOT_LEADER_OR_FOLLOWER)));

        assertThat(received)
                .containsExactly(
                        Map.of(PARTITION, Errors.NONE), Map.of(PARTITION, Errors.NOT_LEADER_OR_FOLLOWER), Map.of());
    }

    @Test
    void whatCannotBeReachedOrIsRefusedHasNoAnswerAndIsFreeAgain() {
        send(NEXT, 10);
        complete(to(NEXT, markers.generateRequests()), null, null);
        send(NEXT, 10);
        complete(to(NEXT, markers.generateRequests()), new SaslAuthenticationException("no"), null);

        assertThat(received).containsExactly(Map.of(), Map.of());
        send(NEXT, 10);
        assertThat(markers.generateRequests()).hasSize(1);
    }

    @Test
    void aReplyThatFailsKeepsTheOthersFromNothing() {
        markers.send(NEXT, marker(10), errors -> {
            throw new IllegalStateException("of the test");
        });
        send(NEXT, 11);

        answer(to(NEXT, markers.generateRequests()), Map.of(11L, Map.of(PARTITION, Errors.NONE)));

        assertThat(received).containsExactly(Map.of(PARTITION, Errors.NONE));
    }

    @Test
    void whatIsToBeTriedAgainIsWhenItIsDueAndTheThreadSleepsUntilThen() {
        List<String> done = new ArrayList<>();
        markers.doWork();
        markers.later(300, () -> done.add("later"));
        markers.later(100, () -> done.add("sooner"));

        markers.doWork();
        nowMs += 100;
        markers.doWork();
        assertThat(done).containsExactly("sooner");
        nowMs += 250;
        markers.doWork();

        assertThat(done).containsExactly("sooner", "later");
        assertThat(polls).containsExactly(Long.MAX_VALUE, 100L, 200L, Long.MAX_VALUE);
    }

    private void send(Node node, long producer) {
        markers.send(node, marker(producer), received::add);
    }

    private static TxnMarkerEntry marker(long producer) {
        return new TxnMarkerEntry(producer, (short) 1, 7, TransactionResult.COMMIT, List.of(PARTITION), (short) 2);
    }

    private static RequestAndCompletionHandler to(Node node, Collection<RequestAndCompletionHandler> requests) {
        return requests.stream()
                .filter(request -> request.destination.equals(node))
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> producers(RequestAndCompletionHandler request) {
        return ((WriteTxnMarkersRequest) request.request.build())
                .markers().stream().map(TxnMarkerEntry::producerId).toList();
    }

    private static void answer(RequestAndCompletionHandler request, Map<Long, Map<TopicPartition, Errors>> errors) {
        complete(request, null, new WriteTxnMarkersResponse(errors));
    }

    private static void complete(
            RequestAndCompletionHandler request, SaslAuthenticationException refusal, AbstractResponse response) {
        RequestHeader header = new RequestHeader(ApiKeys.WRITE_TXN_MARKERS, (short) 2, "client", 1);
        request.handler.onComplete(new ClientResponse(
                header,
                request.handler,
                request.destination.idString(),
                0,
                0,
                response == null,
                null,
                refusal,
                response));
    }

    private KafkaClient client() {
        return Fake.of(KafkaClient.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "wakeup" -> {
                wakeups++;
                yield null;
            }
            case "poll" -> {
                polls.add((Long) arguments[0]);
                yield List.of();
            }
            default -> throw Fake.unexpected(method.getName());
        });
    }

    private Time clock() {
        return Fake.of(Time.class, (proxy, method, arguments) -> nowMs);
    }
}
