package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DescribeQuorumResponse;
import org.apache.kafka.common.requests.EnvelopeResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/**
 * A request from inside an envelope (KIP-590): what answers it goes, serialized, into the envelope's response. Handed from
 * thread to thread like the envelope.
 */
final class EmbeddedRequest extends ParsedRequest {
    private final RoleDispatcher dispatcher;
    private final Request envelope;
    private final @Nullable TimedRequest outer;
    private final ByteBuffer bodyBytes;
    private volatile RequestLocal local;

    EmbeddedRequest(
            RoleDispatcher dispatcher,
            Request envelope,
            RequestContext context,
            AbstractRequest body,
            ByteBuffer bodyBytes) {
        super(context, body, bodyBytes.remaining());
        this.dispatcher = dispatcher;
        this.envelope = envelope;
        this.bodyBytes = bodyBytes;
        this.local = envelope.local();
        this.outer = envelope instanceof TimedRequest timed ? timed : null;
        if (outer != null) {
            outer.embed(this);
        }
    }

    @Override
    boolean isEmbedded() {
        return true;
    }

    @Override
    void useLocal(RequestLocal threadLocal) {
        local = threadLocal;
    }

    @Override
    public RequestLocal local() {
        return local;
    }

    @Override
    public long receivedNs() {
        return envelope.receivedNs();
    }

    @Override
    ByteBuffer receivedBytes() {
        return bodyBytes.asReadOnlyBuffer();
    }

    @Override
    public void releaseBody() {
        envelope.releaseBody();
    }

    /** A node that is not the controller says so in the envelope, so that the sender looks for the controller anew. */
    @Override
    void give(AbstractResponse response) {
        heldFor(settle(response));
        EnvelopeResponse answer = isFromNoController(response)
                ? new EnvelopeResponse(Errors.NOT_CONTROLLER)
                : new EnvelopeResponse(context().buildResponseEnvelopePayload(response), Errors.NONE);
        claimUnlessFiltered();
        tell(response);
        envelope.respond(answer);
    }

    @Override
    void give(ApiMessage message) {
        if (settle() > 0) {
            give(response(message));
            return;
        }
        ResponseHeader header = responseHeader();
        ByteBuffer payload = RequestUtils.serialize(header.data(), header.headerVersion(), message, responseVersion());
        claimUnlessFiltered();
        tell(message);
        envelope.respond(new EnvelopeResponse(payload, Errors.NONE));
    }

    @Override
    void giveBytes(ByteBuffer body, @Nullable Map<Errors, Integer> errorCounts) {
        if (settle() > 0 && isKafkas()) {
            give(response(body));
            return;
        }
        claimUnlessFiltered();
        tell(body, errorCounts);
        envelope.respond(new EnvelopeResponse(KeptAnswer.payload(responseHeader(), body), Errors.NONE));
    }

    @Override
    int meter() {
        return dispatcher.meter().isOn() && outer != null ? dispatcher.meter().record(this, outer.threadNs()) : 0;
    }

    @Override
    void giveNothing() {
        envelope.respondNothing();
    }

    @Override
    void giveClose(@Nullable Map<Errors, Integer> errorCounts) {
        if (errorCounts != null) {
            tell(errorCounts);
        }
        envelope.closeConnection();
    }

    @Override
    void followUpBegins() {
        if (outer != null) {
            outer.followUpBegins();
        }
    }

    @Override
    void followUpEnds() {
        if (outer != null) {
            outer.followUpEnds();
        }
    }

    /** The broker that forwarded the request holds its client back, from the throttle time in the response. */
    @Override
    public void startThrottle() {}

    @Override
    public void endThrottle() {}

    @Override
    public void later(Runnable work) {
        dispatcher.later(new FollowUp(this, work));
    }

    @Override
    public void whenHurried(Runnable work) {
        envelope.whenHurried(work);
    }

    private static boolean isFromNoController(AbstractResponse response) {
        Errors sign =
                response instanceof DescribeQuorumResponse ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.NOT_CONTROLLER;
        return response.errorCounts().containsKey(sign);
    }
}
