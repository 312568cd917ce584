package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Verdict;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: processor threads; holds nothing of its own. Looks at the header of each frame, refuses what is not served, and
 * queues the rest as requests. What a stranger sent is never more than a line at DEBUG.
 */
public final class RequestIntake implements FrameIntake {
    private static final Logger LOGGER = LoggerFactory.getLogger(RequestIntake.class);

    /** Key and version, which every header begins with. */
    private static final int HEADER_START_BYTES = 4;

    private static final short NEW_API_HEADER_VERSION = 2;

    private final HandlerRegistry registry;
    private final RequestChannel channel;
    private final RoleDispatcher dispatcher;

    RequestIntake(HandlerRegistry registry, RequestChannel channel, RoleDispatcher dispatcher) {
        this.registry = registry;
        this.channel = channel;
        this.dispatcher = dispatcher;
    }

    @Override
    public Verdict take(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
        return take(new ReceivedFrame(connection, frame, nowNs, onRelease, false));
    }

    @Override
    public Verdict takeInTurn(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
        return take(new ReceivedFrame(connection, frame, nowNs, onRelease, true));
    }

    @Override
    public void endTurn() {
        channel.settle();
    }

    private Verdict take(ReceivedFrame received) {
        ByteBuffer frame = received.bytes();
        int start = frame.position();
        if (frame.remaining() < HEADER_START_BYTES) {
            return refuse(received, "frame too short for a header: sizeBytes=" + frame.remaining());
        }
        short key = frame.getShort(start);
        short version = frame.getShort(start + Short.BYTES);
        ServedApi api = registry.table().find(key);
        if (api == null || !api.takes(version)) {
            return refuse(received, "not served: apiKey=" + key + " apiVersion=" + version);
        }
        RequestHeader header;
        try {
            header = header(api, frame);
        } catch (RuntimeException unreadable) {
            return refuse(received, "bad request header: " + unreadable);
        }
        Connection connection = received.connection();
        if (api.kafkaApi() == ApiKeys.SASL_HANDSHAKE && connection.takesReauthentication(received.receivedNs())) {
            frame.position(start);
            return Verdict.REAUTHENTICATE;
        }
        if (connection.isSessionExpired(received.receivedNs())) {
            return refuse(received, "session expired without re-authentication");
        }
        return parse(received, api, header);
    }

    private Verdict parse(ReceivedFrame received, ServedApi api, RequestHeader header) {
        ByteBuffer frame = received.bytes();
        int bodyStart = frame.position();
        int bodySize = frame.remaining();
        RequestContext context = context(received.connection(), header);
        AbstractRequest body;
        try {
            body = api.kafkaApi() == null ? null : context.parseRequest(frame).request;
        } catch (RuntimeException unreadable) {
            return refuse(received, "bad request body: " + unreadable);
        }
        if (body instanceof ApiVersionsRequest versions && versions.isValid()) {
            ApiVersionsRequestData told = versions.data();
            received.connection()
                    .clientInformation(new ClientInformation(told.clientSoftwareName(), told.clientSoftwareVersion()));
        }
        received.connection().lastApi(api.key());
        ParsedFrame parsed = new ParsedFrame(context, body, bodyStart, bodySize);
        return queue(received, api, new DispatchedRequest(dispatcher, received, parsed, api.isBrief()));
    }

    private Verdict queue(ReceivedFrame received, ServedApi api, DispatchedRequest request) {
        RequestTrace.received(request, null);
        if (!api.keepsBuffer()) {
            request.releaseBody();
        }
        received.connection().inHand(request);
        if (received.inTurn() ? channel.putInTurn(request) : channel.put(request)) {
            return Verdict.QUEUED;
        }
        request.abandon();
        return Verdict.CLOSE;
    }

    private static RequestHeader header(ServedApi api, ByteBuffer frame) {
        if (api.kafkaApi() != null) {
            return RequestHeader.parse(frame);
        }
        RequestHeaderData data = new RequestHeaderData(new ByteBufferAccessor(frame), NEW_API_HEADER_VERSION);
        if (data.clientId() == null) {
            data.setClientId("");
        }
        return new RequestHeader(data, NEW_API_HEADER_VERSION);
    }

    private static RequestContext context(Connection connection, RequestHeader header) {
        return new RequestContext(
                header,
                connection.id(),
                connection.clientAddress(),
                Optional.of(connection.clientPort()),
                connection.principal(),
                connection.listener(),
                connection.protocol(),
                connection.clientInformation(),
                connection.isPrivileged(),
                connection.principalSerde());
    }

    private static Verdict refuse(ReceivedFrame received, String reason) {
        LOGGER.debug(
                "connection is closed: {} connection={}",
                reason,
                received.connection().id());
        received.onRelease().run();
        return Verdict.CLOSE;
    }
}
