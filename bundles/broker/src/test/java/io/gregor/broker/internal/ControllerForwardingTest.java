package io.gregor.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.EnvelopeResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.EnvelopeRequest;
import org.apache.kafka.common.requests.EnvelopeResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ControllerForwardingTest {
    private static final short VERSION = 7;
    private static final Uuid ID = Uuid.randomUuid();
    private static final RequestHeader HEADER = new RequestHeader(ApiKeys.CREATE_TOPICS, VERSION, "client", 42);
    private static final CreateTopicsRequest BODY = body();

    private final Channel channel = new Channel();
    private final Metrics metrics = new Metrics();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final ServedImage served = Images.served(scheduler);
    private final ControllerForwarding forwarding = new ControllerForwarding(channel, served, metrics, Time.SYSTEM);
    private final List<AbstractResponse> answers = new ArrayList<>();
    private boolean isClosed;

    @AfterEach
    void close() {
        forwarding.close();
        metrics.close();
    }

    @Test
    void putsTheClientsBytesIntoTheEnvelope() {
        forwarding.forward(request());

        ByteBuffer inner = channel.sent.requestData();
        assertThat(RequestHeader.parse(inner)).isEqualTo(HEADER);
        assertThat(inner).isEqualTo(BODY.serialize().buffer());
    }

    @Test
    void holdsASuccessBackUntilTheTopicIsShown() {
        forwarding.forward(request());
        channel.complete(envelope(created(Errors.NONE)));
        assertThat(answers).isEmpty();

        Images.show(served, Images.with(MetadataImage.EMPTY, "t", ID, 1));

        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(result(answer).topicId()).isEqualTo(ID));
    }

    @Test
    void answersASuccessAfterTheRequestsTimeoutEvenIfTheTopicIsNotShown() {
        forwarding.forward(request());
        channel.complete(envelope(created(Errors.NONE)));

        scheduler.runAll();

        assertThat(answers).hasSize(1);
    }

    @Test
    void passesAnErrorOfTheControllerOnAtOnce() {
        forwarding.forward(request());

        channel.complete(envelope(created(Errors.TOPIC_ALREADY_EXISTS)));

        assertAnswered(Errors.TOPIC_ALREADY_EXISTS);
    }

    @Test
    void closesTheConnectionWhenTheControllerDoesNotKnowTheVersion() {
        forwarding.forward(request());

        channel.complete(
                new EnvelopeResponse(new EnvelopeResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code())));

        assertThat(isClosed).isTrue();
        assertThat(answers).isEmpty();
    }

    @Test
    void answersUnknownServerErrorForWhatIsBetweenThisBrokerAndTheController() {
        forwarding.forward(request());
        channel.complete(new EnvelopeResponse(
                new EnvelopeResponseData().setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code())));
        assertAnswered(Errors.UNKNOWN_SERVER_ERROR);

        forwarding.forward(request());
        channel.fail(new UnsupportedVersionException("no envelopes"), null);
        assertAnswered(Errors.UNKNOWN_SERVER_ERROR);

        forwarding.forward(request());
        channel.fail(null, new SaslAuthenticationException("who are you"));
        assertAnswered(Errors.UNKNOWN_SERVER_ERROR);

        forwarding.forward(request());
        channel.complete(new EnvelopeResponse(ByteBuffer.allocate(1), Errors.NONE));
        assertAnswered(Errors.UNKNOWN_SERVER_ERROR);
    }

    @Test
    void answersRequestTimedOutWhenNoControllerWasFound() {
        forwarding.forward(request());

        channel.handler.onTimeout();

        assertAnswered(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void forwardsAnotherBodyAndLeavesTheAnswerToTheCaller() {
        CreateTopicsRequest other = new CreateTopicsRequest.Builder(
                        new CreateTopicsRequestData().setTimeoutMs(9).setValidateOnly(true))
                .build(VERSION);
        List<Optional<AbstractResponse>> taken = new ArrayList<>();

        forwarding.forward(request(), other, taken::add);
        ByteBuffer inner = channel.sent.requestData();
        assertThat(RequestHeader.parse(inner)).isEqualTo(HEADER);
        assertThat(inner).isEqualTo(other.serialize().buffer());
        channel.complete(envelope(created(Errors.NONE)));

        assertThat(taken).singleElement().satisfies(answer -> assertThat(answer).isPresent());
        assertThat(answers).isEmpty();
    }

    private void assertAnswered(Errors error) {
        assertThat(answers)
                .singleElement()
                .satisfies(answer -> assertThat(result(answer).errorCode()).isEqualTo(error.code()));
        answers.clear();
    }

    private static CreatableTopicResult result(AbstractResponse answer) {
        return ((CreateTopicsResponse) answer).data().topics().find("t");
    }

    private static CreateTopicsRequest body() {
        CreateTopicsRequestData data = new CreateTopicsRequestData().setTimeoutMs(1000);
        data.topics().add(new CreatableTopic().setName("t").setNumPartitions(1).setReplicationFactor((short) 1));
        return new CreateTopicsRequest.Builder(data).build(VERSION);
    }

    private static CreateTopicsResponseData created(Errors error) {
        CreateTopicsResponseData data = new CreateTopicsResponseData();
        data.topics()
                .add(new CreatableTopicResult()
                        .setName("t")
                        .setErrorCode(error.code())
                        .setTopicId(error == Errors.NONE ? ID : Uuid.ZERO_UUID));
        return data;
    }

    private static EnvelopeResponse envelope(CreateTopicsResponseData inner) {
        ByteBuffer head = MessageUtil.toByteBufferAccessor(
                        HEADER.toResponseHeader().data(),
                        HEADER.toResponseHeader().headerVersion())
                .buffer();
        ByteBuffer body = MessageUtil.toByteBufferAccessor(inner, VERSION).buffer();
        return new EnvelopeResponse(
                ByteBuffer.allocate(head.remaining() + body.remaining())
                        .put(head)
                        .put(body)
                        .flip(),
                Errors.NONE);
    }

    private Request request() {
        RequestContext context = new RequestContext(
                HEADER,
                "1-2-3",
                InetAddress.getLoopbackAddress(),
                Optional.empty(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false,
                Optional.of(new DefaultKafkaPrincipalBuilder(null, null)));
        return (Request) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Request.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "context":
                            return context;
                        case "body":
                            return ((Class<?>) arguments[0]).cast(BODY);
                        case "bodyBytes":
                            return BODY.serialize().buffer();
                        case "respond":
                            answers.add((AbstractResponse) arguments[0]);
                            return null;
                        case "later":
                            ((Runnable) arguments[0]).run();
                            return null;
                        case "closeConnection":
                            isClosed = true;
                            return null;
                        default:
                            throw new AssertionError("unexpected call: " + method.getName());
                    }
                });
    }

    /** Keeps what is sent, until the test lets it be answered. */
    private static final class Channel implements NodeToControllerChannelManager {
        private EnvelopeRequest sent;
        private ControllerRequestCompletionHandler handler;

        @Override
        public void sendRequest(
                AbstractRequest.Builder<? extends AbstractRequest> request,
                ControllerRequestCompletionHandler completion) {
            sent = (EnvelopeRequest) request.build();
            handler = completion;
        }

        void complete(EnvelopeResponse response) {
            handler.onComplete(response(null, null, response));
        }

        void fail(UnsupportedVersionException version, SaslAuthenticationException authentication) {
            handler.onComplete(response(version, authentication, null));
        }

        private static ClientResponse response(
                UnsupportedVersionException version,
                SaslAuthenticationException authentication,
                EnvelopeResponse response) {
            RequestHeader header = new RequestHeader(ApiKeys.ENVELOPE, (short) 0, "broker", 1);
            return new ClientResponse(header, null, "0", 1, 2, false, version, authentication, response);
        }

        @Override
        public Optional<NodeApiVersions> controllerApiVersions() {
            return Optional.empty();
        }

        @Override
        public long getTimeoutMs() {
            return 60_000;
        }

        @Override
        public void start() {}

        @Override
        public void shutdown() {}
    }
}
