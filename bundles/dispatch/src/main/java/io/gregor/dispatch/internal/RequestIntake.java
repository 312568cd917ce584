package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Verdict;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;
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
        int start = frame.position();
        if (frame.remaining() < HEADER_START_BYTES) {
            return refuse(connection, "frame too short for a header: sizeBytes=" + frame.remaining(), null, onRelease);
        }
        short key = frame.getShort(start);
        short version = frame.getShort(start + Short.BYTES);
        ServedApi api = registry.table().find(key);
        if (api == null || !api.takes(version)) {
            return refuse(connection, "not served: apiKey=" + key + " apiVersion=" + version, null, onRelease);
        }
        RequestHeader header;
        try {
            header = header(api, frame);
        } catch (RuntimeException unreadable) {
            return refuse(connection, "bad request header", unreadable, onRelease);
        }
        if (api.kafkaApi() == ApiKeys.SASL_HANDSHAKE && connection.takesReauthentication(nowNs)) {
            frame.position(start);
            return Verdict.REAUTHENTICATE;
        }
        if (connection.isSessionExpired(nowNs)) {
            return refuse(connection, "session expired without re-authentication", null, onRelease);
        }
        RequestContext context = context(connection, header);
        int bodyStart = frame.position();
        AbstractRequest body;
        try {
            body = api.kafkaApi() == null ? null : context.parseRequest(frame).request;
        } catch (RuntimeException unreadable) {
            return refuse(connection, "bad request body", unreadable, onRelease);
        }
        ReceivedFrame received = new ReceivedFrame(frame, bodyStart, nowNs, onRelease);
        return queue(
                connection,
                api,
                new DispatchedRequest(
                        dispatcher,
                        connection,
                        context,
                        body,
                        received,
                        api.handler().isBrief()),
                body);
    }

    private Verdict queue(
            Connection connection, ServedApi api, DispatchedRequest request, @Nullable AbstractRequest body) {
        if (body instanceof ApiVersionsRequest versions && versions.isValid()) {
            connection.clientInformation(new ClientInformation(
                    versions.data().clientSoftwareName(), versions.data().clientSoftwareVersion()));
        }
        connection.lastApi(api.key());
        if (!api.keepsBuffer()) {
            request.releaseBody();
        }
        if (channel.put(request)) {
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

    private static Verdict refuse(Connection connection, String reason, @Nullable Throwable fault, Runnable onRelease) {
        LOGGER.debug(
                "connection is closed: {} cause={} connection={}",
                reason,
                fault == null ? "none" : fault.toString(),
                connection.id());
        onRelease.run();
        return Verdict.CLOSE;
    }
}
