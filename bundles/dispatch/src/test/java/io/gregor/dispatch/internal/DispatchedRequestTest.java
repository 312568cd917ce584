package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.request.Outgoing;
import io.gregor.testing.FakeReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchedRequestTest {
    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final AtomicLong clock = new AtomicLong(100);
    private final List<RequestTimes> completed = new ArrayList<>();
    private final RoleDispatcher dispatcher = new RoleDispatcher(
            services.registry, channel, () -> clock.getAndAdd(10), completed::add, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final FakeConnection connection = new FakeConnection();
    private final AtomicInteger released = new AtomicInteger();

    @Test
    void responseIsTheSameAsKafkasOwn() {
        serve(request -> request.respond(metadataResponse()), metadata(12));
        MetadataResponse parsed = (MetadataResponse) parse(ApiKeys.METADATA, 12, theOnlyPosted());
        assertThat(parsed.data().clusterId()).isEqualTo("cluster");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void messageAndKeptBytesAreTheSameAsTheResponse(int version) {
        ByteBuffer expected = respondedBy(request -> request.respond(metadataResponse()), version);
        assertThat(respondedBy(request -> request.respond(metadataResponse().data()), version))
                .isEqualTo(expected);

        ByteBuffer kept = MessageUtil.toByteBufferAccessor(metadataResponse().data(), (short) version)
                .buffer();
        assertThat(respondedBy(request -> request.respondBytes(kept), version)).isEqualTo(expected);
        assertThat(kept.position()).isZero();
    }

    @Test
    void largeKeptBytesAreNotCopied() {
        byte[] large = new byte[100_000];
        large[99_999] = 5;
        ByteBuffer response = respondedBy(request -> request.respondBytes(ByteBuffer.wrap(large)), 12);
        assertThat(response.getInt()).isEqualTo(5 + large.length);
        assertThat(response.getInt()).isEqualTo(7);
        assertThat(response.get(response.limit() - 1)).isEqualTo((byte) 5);
    }

    @Test
    void newApiIsAnsweredAfterAFlexibleHeader() {
        services.add(request -> request.respondBytes(request.bodyBytes()), 0, 10_000);
        take(Frames.newApi(10_000, 0, (byte) 1, (byte) 2));
        ByteBuffer response = FakeConnection.written(theOnlyPosted());
        assertThat(response).isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 0, 7, 0, 0, 0, 7, 0, 1, 2}));
    }

    @Test
    void secondAnswerIsRefused() {
        AtomicReference<Request> kept = new AtomicReference<>();
        serve(
                request -> {
                    kept.set(request);
                    request.respond(metadataResponse());
                },
                metadata(12));
        assertThatThrownBy(() -> kept.get().closeConnection())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("apiKey=3");
        assertThat(connection.posted).hasSize(1);
    }

    @Test
    void oneOfManyThreadsAnswers() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int round = 0; round < 200; round++) {
            AtomicReference<Request> kept = new AtomicReference<>();
            connection.posted.clear();
            serve(kept::set, metadata(12));
            List<Future<?>> tries = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                tries.add(threads.submit(() -> kept.get().respondNothing()));
            }
            int refused = 0;
            for (Future<?> one : tries) {
                refused += hasFailed(one) ? 1 : 0;
            }
            assertThat(refused).isEqualTo(3);
            assertThat(connection.posted).hasSize(1);
        }
        threads.shutdown();
    }

    @Test
    void whatAHandlerThrowsIsAnsweredAsItsError() {
        serve(
                request -> {
                    throw new TopicAuthorizationException("no");
                },
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT);
        HeartbeatResponse response = (HeartbeatResponse) parse(ApiKeys.HEARTBEAT, 4, theOnlyPosted());
        assertThat(response.error()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    @Test
    void errorOfTheMachineIsAnsweredToo() {
        serve(
                request -> {
                    throw new StackOverflowError();
                },
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT);
        HeartbeatResponse response = (HeartbeatResponse) parse(ApiKeys.HEARTBEAT, 4, theOnlyPosted());
        assertThat(response.error()).isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
    }

    @Test
    void failedProduceWithoutAcknowledgementClosesTheConnection() {
        serve(
                request -> {
                    throw new IllegalStateException("planned by the test");
                },
                Frames.of(ApiKeys.PRODUCE, 9, new ProduceRequestData().setAcks((short) 0)),
                ApiKeys.PRODUCE);
        assertThat(theOnlyPosted().kind()).isEqualTo(Outgoing.Kind.CLOSE);
    }

    @Test
    void faultAfterTheAnswerChangesNothing() {
        serve(
                request -> {
                    request.respondNothing();
                    throw new IllegalStateException("planned by the test");
                },
                metadata(12));
        assertThat(theOnlyPosted().kind()).isEqualTo(Outgoing.Kind.NOTHING);
    }

    @Test
    void throttleEventsGoToTheConnection() {
        serve(
                request -> {
                    request.startThrottle();
                    request.respondNothing();
                    request.endThrottle();
                },
                metadata(12));
        assertThat(connection.posted)
                .extracting(Outgoing::kind)
                .containsExactly(Outgoing.Kind.START_THROTTLE, Outgoing.Kind.NOTHING, Outgoing.Kind.END_THROTTLE);
    }

    @Test
    void followUpWorkComesBackWithTheLocalOfItsThreadAndItsFaultIsAnswered() {
        RequestLocal own = RequestLocal.withThreadConfinedCaching();
        AtomicReference<RequestLocal> seen = new AtomicReference<>();
        serve(
                request -> request.later(() -> {
                    seen.set(request.local());
                    throw new TopicAuthorizationException("no");
                }),
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT);
        assertThat(connection.posted).isEmpty();

        channel.take(new HandlerSeat(Thread.currentThread())).run(own);

        assertThat(seen.get()).isSameAs(own);
        HeartbeatResponse response = (HeartbeatResponse) parse(ApiKeys.HEARTBEAT, 4, theOnlyPosted());
        assertThat(response.error()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    @Test
    void bufferIsGivenBackOnceWhenTheResponseIsWrittenOrDropped() {
        serve(
                request -> request.respondNothing(),
                Frames.of(ApiKeys.PRODUCE, 9, new ProduceRequestData()),
                ApiKeys.PRODUCE);
        assertThat(released).hasValue(0);
        theOnlyPosted().completed(1);
        assertThat(released).hasValue(1);

        connection.posted.clear();
        serve(
                request -> {
                    request.releaseBody();
                    request.respondNothing();
                },
                Frames.of(ApiKeys.PRODUCE, 9, new ProduceRequestData()),
                ApiKeys.PRODUCE);
        theOnlyPosted().dropped();
        assertThat(released).hasValue(2);
    }

    @Test
    void timesAreTakenWhereKafkaTakesThem() {
        AtomicReference<Request> kept = new AtomicReference<>();
        services.add(kept::set, 0, 3);
        intake.take(connection, metadata(12), 50, released::incrementAndGet);
        handle();
        clock.set(500);
        kept.get().respondNothing();
        Outgoing outgoing = theOnlyPosted();
        outgoing.dequeued(600);
        outgoing.completed(700);

        RequestTimes times = completed.get(0);
        assertThat(times.receivedNs()).isEqualTo(50);
        assertThat(times.dequeuedNs()).isEqualTo(100);
        assertThat(times.localDoneNs()).isEqualTo(110);
        assertThat(times.answeredNs()).isEqualTo(500);
        assertThat(times.responseDequeuedNs()).isEqualTo(600);
        assertThat(times.completedNs()).isEqualTo(700);
        assertThat(times.requestQueueNs()).isEqualTo(50);
        assertThat(times.localNs()).isEqualTo(10);
        assertThat(times.remoteNs()).isEqualTo(390);
        assertThat(times.responseQueueNs()).isEqualTo(100);
        assertThat(times.responseSendNs()).isEqualTo(100);
        assertThat(times.totalNs()).isEqualTo(650);
    }

    @Test
    void followUpWorkIsLocalTimeAndNotRemote() {
        AtomicReference<Request> kept = new AtomicReference<>();
        services.add(kept::set, 0, 3);
        intake.take(connection, metadata(12), 50, released::incrementAndGet);
        handle();
        kept.get().later(() -> clock.set(1_000));
        clock.set(600);
        handle();
        kept.get().later(() -> {
            clock.set(3_000);
            kept.get().respondNothing();
            clock.set(9_000);
        });
        clock.set(2_000);
        handle();
        Outgoing outgoing = theOnlyPosted();
        outgoing.dequeued(3_000);
        outgoing.completed(3_000);

        RequestTimes times = completed.get(0);
        assertThat(times.localNs()).isEqualTo(10 + 400 + 1_000);
        assertThat(times.remoteNs()).isEqualTo(3_000 - 110 - 400 - 1_000);
    }

    @Test
    void requestWhoseConnectionIsGoneCountsToo() {
        serve(request -> request.respond(metadataResponse()), metadata(12));

        theOnlyPosted().dropped();

        RequestTimes times = completed.get(0);
        assertThat(times.responseSendNs()).isZero();
        assertThat(times.responseQueueNs()).isPositive();
    }

    @Test
    void errorsOfAnAnswerAreKeptForTheFigures() {
        serve(
                request -> request.respondError(new TopicAuthorizationException("no")),
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT);
        theOnlyPosted().completed(1);
        connection.posted.clear();
        serve(
                request -> request.respond(new HeartbeatResponseData()),
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT);
        theOnlyPosted().completed(1);

        assertThat(completed.get(0).subject().errors()).containsEntry(Errors.TOPIC_AUTHORIZATION_FAILED, 1);
        assertThat(completed.get(1).subject().errors()).isNull();
        assertThat(completed.get(1).subject().successes()).isEqualTo(1);
        assertThat(completed.get(1).subject().bodySize()).isEqualTo(8);
    }

    @Test
    void connectionIsClosedWhenTheHandlerLeftBetweenQueueAndThread() {
        FakeReference<RequestHandler> handler = services.add(request -> {}, 0, 3);
        intake.take(connection, metadata(12), 1, released::incrementAndGet);
        services.registry.remove(handler);
        handle();
        assertThat(theOnlyPosted().kind()).isEqualTo(Outgoing.Kind.CLOSE);
    }

    private ByteBuffer respondedBy(RequestHandler handler, int version) {
        connection.posted.clear();
        serve(handler, metadata(version));
        return FakeConnection.written(theOnlyPosted());
    }

    private void serve(RequestHandler handler, ByteBuffer frame) {
        serve(handler, frame, ApiKeys.METADATA);
    }

    private void serve(RequestHandler handler, ByteBuffer frame, ApiKeys api) {
        FakeReference<RequestHandler> reference = services.add(handler, 0, api.id);
        take(frame);
        services.registry.remove(reference);
    }

    private void take(ByteBuffer frame) {
        intake.take(connection, frame, 1, released::incrementAndGet);
        handle();
    }

    private void handle() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }

    private Outgoing theOnlyPosted() {
        assertThat(connection.posted).hasSize(1);
        return connection.posted.peek();
    }

    private static ByteBuffer metadata(int version) {
        return Frames.raw(3, version, metadataBody(version));
    }

    private static byte[] metadataBody(int version) {
        return version < 9 ? new byte[4] : new byte[] {0, 1, 1, 0, 0, 0};
    }

    private static MetadataResponse metadataResponse() {
        return new MetadataResponse(new MetadataResponseData().setClusterId("cluster"), (short) 12);
    }

    private static AbstractResponse parse(ApiKeys api, int version, Outgoing outgoing) {
        ByteBuffer bytes = FakeConnection.written(outgoing);
        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        return AbstractResponse.parseResponse(bytes, new RequestHeader(api, (short) version, "test", 7));
    }

    private static boolean hasFailed(Future<?> future) throws InterruptedException {
        try {
            future.get();
            return false;
        } catch (java.util.concurrent.ExecutionException e) {
            return true;
        }
    }
}
