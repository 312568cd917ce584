package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gregor.api.RequestHandler;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestLogTest {
    private static final List<String> KAFKAS_FIELDS = List.of(
            "isForwarded",
            "requestHeader",
            "request",
            "response",
            "connection",
            "totalTimeMs",
            "requestQueueTimeMs",
            "localTimeMs",
            "remoteTimeMs",
            "throttleTimeMs",
            "responseQueueTimeMs",
            "sendTimeMs",
            "securityProtocol",
            "principal",
            "listener",
            "clientInformation");

    @Test
    void lineHasKafkasFieldsInTheirOrder() {
        RequestTimes times = done(
                Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData()),
                ApiKeys.HEARTBEAT.id,
                request -> request.respond(new HeartbeatResponseData()));
        RequestNotes notes = new RequestNotes();
        notes.request = RequestLog.body(times.subject().parsedBody());

        JsonNode line = RequestLog.line(times, times.subject(), notes);

        assertThat(line.fieldNames()).toIterable().containsExactlyElementsOf(KAFKAS_FIELDS);
        assertThat(line.get("requestHeader").toString())
                .isEqualTo("{\"requestApiKey\":12,\"requestApiVersion\":4,\"correlationId\":7,\"clientId\":\"test\","
                        + "\"requestApiKeyName\":\"HEARTBEAT\"}");
        assertThat(line.get("request").has("groupId")).isTrue();
        assertThat(line.get("response").isNull()).isTrue();
        assertThat(line.get("connection").asText()).isEqualTo("127.0.0.1:9092-127.0.0.1:50000-0-1");
        assertThat(line.get("principal").asText()).isEqualTo("User:ANONYMOUS");
        assertThat(line.get("totalTimeMs").asDouble()).isEqualTo(3.0);
        assertThat(line.get("requestQueueTimeMs").asDouble()).isEqualTo(1.0);
    }

    @Test
    void lineOfANewApiHasItsKey() {
        RequestTimes times =
                done(Frames.newApi(10_000, 0, (byte) 1), 10_000, request -> request.respondBytes(request.bodyBytes()));

        JsonNode line = RequestLog.line(times, times.subject(), null);

        assertThat(line.fieldNames()).toIterable().containsExactlyElementsOf(KAFKAS_FIELDS);
        assertThat(line.get("requestHeader").get("requestApiKey").asInt()).isEqualTo(10_000);
        assertThat(line.get("requestHeader").get("requestApiKeyName").asText()).isEqualTo("10000");
        assertThat(line.get("request").isNull()).isTrue();
    }

    @Test
    void bodyThatWasSentAsBytesIsShownToo() {
        HeartbeatResponse response = new HeartbeatResponse(new HeartbeatResponseData().setErrorCode((short) 27));
        ByteBuffer bytes =
                MessageUtil.toByteBufferAccessor(response.data(), (short) 4).buffer();

        assertThat(RequestLog.body(ApiKeys.HEARTBEAT, bytes, (short) 4))
                .isEqualTo(RequestLog.body(response, (short) 4));
        assertThat(bytes.position()).isZero();
    }

    private static RequestTimes done(ByteBuffer frame, int key, RequestHandler handler) {
        HandlerServices services = new HandlerServices();
        services.add(handler, 0, key);
        RequestChannel channel = new RequestChannel(10);
        List<RequestTimes> completed = new ArrayList<>();
        RoleDispatcher dispatcher =
                new RoleDispatcher(services.registry, channel, () -> 1_000_000, completed::add, new QuotaMeter(false));
        FakeConnection connection = new FakeConnection();
        new RequestIntake(services.registry, channel, dispatcher).take(connection, frame, 0, () -> {});
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
        connection.posted.element().dequeued(2_000_000);
        connection.posted.remove().completed(3_000_000);
        return completed.get(0);
    }
}
