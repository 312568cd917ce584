package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.request.Metered;
import io.gregor.internal.request.Outgoing;
import io.gregor.internal.request.Outgoing.Kind;
import io.gregor.testing.FakeClientQuotas;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeteredRequestTest {
    private static final String REQUEST_100 = "REQUEST=100";

    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final List<RequestTimes> completed = new ArrayList<>();
    private final QuotaMeter meter = new QuotaMeter(false);
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, () -> clock.getAndAdd(10), completed::add, meter);
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final FakeConnection connection = new FakeConnection();
    private final FakeClientQuotas quotas = new FakeClientQuotas();

    @Test
    void withoutAQuotaNothingIsMeasured() {
        dispatcher.quotas(quotas);

        serve(MeteredRequestTest::respond, metadata(12), ApiKeys.METADATA);

        assertThat(kinds()).containsExactly(Kind.SEND);
        assertThat(quotas.recorded).isEmpty();
    }

    @Test
    void timeIsRecordedInHundredthsOfASecond() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 0));

        serve(
                request -> {
                    clock.addAndGet(20_000_000);
                    respond(request);
                },
                metadata(12),
                ApiKeys.METADATA);

        assertThat(quotas.recorded.get(ClientQuotaType.REQUEST)).singleElement().satisfies(units -> assertThat(units)
                .isBetween(2.0, 2.001));
        assertThat(kinds()).containsExactly(Kind.SEND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"response", "message", "bytes"})
    void everyAnswerSaysHowLongItsClientIsHeldBackAndHoldsItBack(String form) {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));
        MetadataResponseData data = new MetadataResponseData().setClusterId("cluster");
        ByteBuffer kept = MessageUtil.toByteBufferAccessor(data, (short) 12).buffer();

        serve(
                request -> {
                    switch (form) {
                        case "response" -> request.respond(new MetadataResponse(data, (short) 12));
                        case "message" -> request.respond(data);
                        default -> request.respondBytes(kept);
                    }
                },
                metadata(12),
                ApiKeys.METADATA);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND);
        MetadataResponse response = (MetadataResponse) parse(ApiKeys.METADATA, 12, last());
        assertThat(response.throttleTimeMs()).isEqualTo(100);
        assertThat(response.data().clusterId()).isEqualTo("cluster");
        assertThat(quotas.throttled).containsExactly(REQUEST_100);
        assertThat(quotas.recorded.get(ClientQuotaType.REQUEST)).hasSize(1);

        quotas.callbacks.get(0).endThrottling();
        last().completed(1);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND, Kind.END_THROTTLE);
        assertThat(completed.get(0).subject().throttleNs()).isEqualTo(100_000_000L);
    }

    @Test
    void endIsToldToTheConnection() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(MeteredRequestTest::respond, metadata(12), ApiKeys.METADATA);

        Outgoing start = connection.posted.peek();
        assertThat(start.throttledUntilNs()).isBetween(101_000_000L, 101_001_000L);
    }

    @Test
    void versionWithoutTheFieldIsHeldBackAllTheSame() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(MeteredRequestTest::respond, metadata(1), ApiKeys.METADATA);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND);
        last().completed(1);
        assertThat(completed.get(0).subject().throttleNs()).isEqualTo(100_000_000L);
    }

    @Test
    void longestTimeCountsAndTheQuotaThatDemandsIt() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(
                request -> {
                    ((Metered) request).throttle(ClientQuotaType.FETCH, 250);
                    respond(request);
                },
                metadata(12),
                ApiKeys.METADATA);

        assertThat(parse(ApiKeys.METADATA, 12, last()).throttleTimeMs()).isEqualTo(250);
        assertThat(quotas.throttled).containsExactly("FETCH=250");
    }

    @Test
    void whatTheControllerDemandsOfAForwardedRequestIsDoneToItsClient() {
        dispatcher.quotas(quotas);
        MetadataResponse answer = new MetadataResponse(new MetadataResponseData().setThrottleTimeMs(70), (short) 12);

        serve(request -> request.respond(answer), metadata(12), ApiKeys.METADATA);

        assertThat(quotas.throttled).containsExactly("REQUEST=70");
        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND);
    }

    @Test
    void handlerMayRecordTheTimeBeforeItAnswers() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));
        AtomicReference<Integer> told = new AtomicReference<>();

        serve(
                request -> {
                    told.set(((Metered) request).recordTime());
                    respond(request);
                },
                metadata(12),
                ApiKeys.METADATA);

        assertThat(told).hasValue(100);
        assertThat(quotas.recorded.get(ClientQuotaType.REQUEST)).hasSize(1);
    }

    @Test
    void oneThatItsHandlerHoldsBackIsHeldBackOnce() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(
                request -> {
                    request.startThrottle();
                    respond(request);
                },
                metadata(12),
                ApiKeys.METADATA);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND);
        assertThat(quotas.throttled).isEmpty();
    }

    @Test
    void producerWithoutAcknowledgementPaysForBytesAndNotForTime() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(
                request -> {
                    ((Metered) request).throttle(ClientQuotaType.PRODUCE, 30);
                    request.respondNothing();
                },
                Frames.of(ApiKeys.PRODUCE, 9, new ProduceRequestData().setAcks((short) 0)),
                ApiKeys.PRODUCE);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.NOTHING);
        assertThat(quotas.throttled).containsExactly("PRODUCE=30");
        assertThat(quotas.recorded).isEmpty();
        assertThat(quotas.exempt).hasSize(1);
    }

    @Test
    void nodesAreExemptAndTheirTimeIsCountedAsThat() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));

        serve(
                request -> request.respond(FetchResponse.of(new FetchResponseData())),
                Frames.of(ApiKeys.FETCH, 12, new FetchRequestData().setReplicaId(2)),
                ApiKeys.FETCH);
        serve(
                request -> request.respond(FetchResponse.of(new FetchResponseData())),
                Frames.of(ApiKeys.FETCH, 12, new FetchRequestData()),
                ApiKeys.FETCH);

        assertThat(quotas.exempt).hasSize(1);
        assertThat(quotas.throttled).containsExactly(REQUEST_100);
    }

    @Test
    void timeOfTheNetworkThreadCountsForTheNextRequest() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 0));
        serve(MeteredRequestTest::respond, metadata(12), ApiKeys.METADATA);
        quotas.recorded.clear();

        last().dequeued(clock.get());
        last().completed(clock.get() + 30_000_000);

        assertThat(quotas.recorded.get(ClientQuotaType.REQUEST)).containsExactly(3.0);
        assertThat(quotas.throttled).isEmpty();
    }

    @Test
    void timeOfTheNetworkThreadIsExemptForNodes() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 0));
        serve(
                request -> request.respond(FetchResponse.of(new FetchResponseData())),
                Frames.of(ApiKeys.FETCH, 12, new FetchRequestData().setReplicaId(2)),
                ApiKeys.FETCH);
        quotas.exempt.clear();

        last().dequeued(clock.get());
        last().completed(clock.get() + 30_000_000);

        assertThat(quotas.exempt).containsExactly(3.0);
        assertThat(quotas.recorded).isEmpty();
    }

    @Test
    void quotasThatLeaveHoldNobodyBack() {
        dispatcher.quotas(quotas.demand(ClientQuotaType.REQUEST, 100));
        dispatcher.withoutQuotas(new FakeClientQuotas());
        serve(MeteredRequestTest::respond, metadata(12), ApiKeys.METADATA);
        dispatcher.withoutQuotas(quotas);
        serve(MeteredRequestTest::respond, metadata(12), ApiKeys.METADATA);

        assertThat(kinds()).containsExactly(Kind.START_THROTTLE, Kind.SEND, Kind.SEND);
    }

    private static void respond(Request request) {
        request.respond(new MetadataResponse(new MetadataResponseData(), request.apiVersion()));
    }

    private static ByteBuffer metadata(int version) {
        return Frames.of(ApiKeys.METADATA, version, new MetadataRequestData().setTopics(List.of()));
    }

    private void serve(RequestHandler handler, ByteBuffer frame, ApiKeys api) {
        services.add(handler, 0, api.id);
        intake.take(connection, frame, clock.get(), () -> {});
        channel.take(new HandlerSeat(Thread.currentThread()))
                .run(org.apache.kafka.server.common.RequestLocal.noCaching());
    }

    private List<Kind> kinds() {
        return connection.posted.stream().map(Outgoing::kind).toList();
    }

    private Outgoing last() {
        return connection.posted.stream()
                .filter(outgoing -> outgoing.kind() == Kind.SEND)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static AbstractResponse parse(ApiKeys api, int version, Outgoing outgoing) {
        ByteBuffer bytes = FakeConnection.written(outgoing);
        bytes.getInt();
        return AbstractResponse.parseResponse(bytes, new RequestHeader(api, (short) version, "client", 7));
    }
}
