package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.RequestHandler;
import io.gregor.internal.request.Outgoing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.RequestLocal;

/** Requests from a connection without a socket, through filters, to a handler, on the test's thread. */
final class FilterFixture {
    static final int HEARTBEAT = ApiKeys.HEARTBEAT.id;
    static final int NEW_KEY = 10_000;

    final HandlerServices services = new HandlerServices();
    final FilterServices filters = services.filters;
    final RequestChannel channel = new RequestChannel(10);
    final List<RequestTimes> completed = new ArrayList<>();
    final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, System::nanoTime, completed::add, new QuotaMeter(false));
    final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    final FakeConnection connection = new FakeConnection();

    /** What was called, in order. */
    final List<String> seen = new ArrayList<>();

    FilterFixture() {
        handler(request -> {
            seen.add("handler " + request.body(HeartbeatRequest.class).data().groupId());
            request.respond(new HeartbeatResponse(new HeartbeatResponseData().setThrottleTimeMs(1)));
        });
    }

    /** In front of what serves Heartbeat already. */
    void handler(RequestHandler handler) {
        services.add(handler, seen.size() + services.services.size(), HEARTBEAT);
    }

    void heartbeat() {
        take(Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData().setGroupId("sent")));
    }

    void take(ByteBuffer frame) {
        connection.posted.clear();
        intake.take(connection, frame, 1, () -> {});
        runOne();
    }

    void runOne() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }

    Outgoing posted() {
        assertThat(connection.posted).hasSize(1);
        return connection.posted.peek();
    }

    AbstractResponse response(ApiKeys api, int version) {
        ByteBuffer bytes = FakeConnection.written(posted());
        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        return AbstractResponse.parseResponse(bytes, new RequestHeader(api, (short) version, "test", 7));
    }

    /** The error of the answer to the Heartbeat, which was counted, too. */
    Errors error() {
        HeartbeatResponse response = (HeartbeatResponse) response(ApiKeys.HEARTBEAT, 4);
        posted().completed(1);
        ParsedRequest subject = completed.get(completed.size() - 1).subject();
        assertThat(
                        subject.errors() == null
                                ? Errors.NONE
                                : subject.errors().keySet().iterator().next())
                .isEqualTo(response.error());
        return response.error();
    }
}
