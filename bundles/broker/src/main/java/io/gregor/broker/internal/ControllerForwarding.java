package io.gregor.broker.internal;

import io.gregor.api.Request;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.request.DecidedElsewhere;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.ForwardingManagerUtil;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.apache.kafka.server.metrics.ForwardingManagerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests to the active controller in envelopes (KIP-590), and holds the answer to a creation back until this
 * broker shows what was created. Shared: any thread.
 */
public final class ControllerForwarding implements Forwarding, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ControllerForwarding.class);

    private final NodeToControllerChannelManager channel;
    private final ServedImage served;
    private final Time time;
    private final ForwardingManagerMetrics metrics;

    /** Forwards over a channel that its owner starts and shuts down. */
    public ControllerForwarding(
            NodeToControllerChannelManager channel, ServedImage served, Metrics metrics, Time time) {
        this.channel = channel;
        this.served = served;
        this.time = time;
        this.metrics = new ForwardingManagerMetrics(metrics, channel.getTimeoutMs());
    }

    @Override
    public void forward(Request request) {
        AbstractRequest body = request.body(AbstractRequest.class);
        send(request, body, withHeader(request), answer -> answer(request, body, answer));
    }

    @Override
    public void forward(Request request, AbstractRequest body, Consumer<Optional<AbstractResponse>> done) {
        send(request, body, body.serializeWithHeader(request.context().header), done);
    }

    @Override
    public Optional<NodeApiVersions> controllerApiVersions() {
        return channel.controllerApiVersions();
    }

    @Override
    public void close() {
        metrics.close();
    }

    private void send(
            Request request, AbstractRequest body, ByteBuffer bytes, Consumer<Optional<AbstractResponse>> done) {
        if (request instanceof DecidedElsewhere sent) {
            sent.decidedElsewhere();
        }
        var envelope = ForwardingManagerUtil.buildEnvelopeRequest(request.context(), bytes);
        metrics.incrementQueueLength();
        channel.sendRequest(
                envelope,
                new ForwardedRequest(
                        request.context().header, body, time.milliseconds(), channel.getTimeoutMs(), metrics, done));
    }

    private void answer(Request request, AbstractRequest body, Optional<AbstractResponse> answer) {
        if (answer.isEmpty()) {
            LOGGER.info(
                    "closing a connection: the controller does not know the version of a forwarded request; it may have"
                            + " changed since the client connected: connection={} header={}",
                    request.context().connectionId,
                    request.context().header);
            request.closeConnection();
            return;
        }
        Optional<ExpectedMetadata> expected = ExpectedMetadata.of(body, answer.get());
        if (expected.isEmpty()) {
            request.respond(answer.get());
            return;
        }
        var unused = served.await(expected.get().condition(), expected.get().timeoutMs())
                .whenComplete((shown, late) -> request.later(() -> request.respond(answer.get())));
    }

    /** The bytes as the client sent them, without its length. */
    private static ByteBuffer withHeader(Request request) {
        RequestHeader header = request.context().header;
        ByteBuffer head = MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion())
                .buffer();
        ByteBuffer body = request.bodyBytes();
        ByteBuffer bytes = ByteBuffer.allocate(head.remaining() + body.remaining());
        return bytes.put(head).put(body).flip();
    }
}
