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
import org.apache.kafka.common.errors.NotControllerException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.EnvelopeRequest;
import org.apache.kafka.common.requests.EnvelopeResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EmbeddedRequestTest {
    private static final short INNER_VERSION = 7;
    private static final int INNER_CORRELATION = 99;

    private final HandlerServices services = new HandlerServices(ListenerType.CONTROLLER);
    private final RequestChannel channel = new RequestChannel(10);
    private final List<RequestTimes> completed = new ArrayList<>();
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, System::nanoTime, completed::add, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final FakeConnection connection = new FakeConnection();

    @BeforeEach
    void serveEnvelopes() {
        services.add(this::open, 0, ApiKeys.ENVELOPE.id);
    }

    @Test
    void responseOfTheInnerApiIsThePayload() {
        EnvelopeResponse envelope = answered(request -> {
            assertThat(request.body(CreateTopicsRequest.class).data().topics()).hasSize(1);
            assertThat(request.bodyBytes().remaining()).isPositive();
            request.respond(response(Errors.NONE));
        });
        assertThat(envelope.error()).isEqualTo(Errors.NONE);
        CreateTopicsResponse inner = inner(envelope);
        assertThat(inner.data().topics().find("t").errorCode()).isZero();
    }

    @Test
    void messageAndKeptBytesGiveTheSamePayload() {
        ByteBuffer expected =
                answered(request -> request.respond(response(Errors.NONE))).responseData();
        assertThat(answered(request -> request.respond(response(Errors.NONE).data()))
                        .responseData())
                .isEqualTo(expected);
        ByteBuffer kept = MessageUtil.toByteBufferAccessor(response(Errors.NONE).data(), INNER_VERSION)
                .buffer();
        assertThat(answered(request -> request.respondBytes(kept)).responseData())
                .isEqualTo(expected);
    }

    @Test
    void nodeThatIsNotTheControllerSaysSoInTheEnvelope() {
        EnvelopeResponse envelope = answered(request -> request.respond(response(Errors.NOT_CONTROLLER)));
        assertThat(envelope.error()).isEqualTo(Errors.NOT_CONTROLLER);
        assertThat(answered(request -> {
                            throw new NotControllerException("elsewhere");
                        })
                        .error())
                .isEqualTo(Errors.NOT_CONTROLLER);
    }

    @Test
    void faultOfTheInnerHandlerIsTheInnerError() {
        EnvelopeResponse envelope = answered(request -> {
            throw new PolicyViolationException("no");
        });
        assertThat(envelope.error()).isEqualTo(Errors.NONE);
        assertThat(inner(envelope).data().topics().find("t").errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
    }

    @Test
    void innerRequestIsWhatCountsWithItsOwnErrors() {
        answered(request -> request.respond(response(Errors.POLICY_VIOLATION)));

        connection.posted.remove().completed(1);

        RequestTimes times = completed.get(0);
        assertThat(times.isForwarded()).isTrue();
        assertThat(times.subject().apiKey()).isEqualTo(ApiKeys.CREATE_TOPICS.id);
        assertThat(times.subject().errors()).containsEntry(Errors.POLICY_VIOLATION, 1);
    }

    @Test
    void innerRequestIsAnsweredOnce() {
        EnvelopeResponse envelope = answered(request -> {
            request.respond(response(Errors.NONE));
            assertThatThrownBy(() -> request.respondNothing()).isInstanceOf(IllegalStateException.class);
        });
        assertThat(envelope.error()).isEqualTo(Errors.NONE);
    }

    @Test
    void closingTheInnerConnectionClosesTheOuter() {
        handle(request -> request.closeConnection());
        assertThat(connection.posted.peek().kind()).isEqualTo(Outgoing.Kind.CLOSE);
    }

    @Test
    void filtersOfTheInnerApiSeeTheInnerRequestAndResponse() {
        services.filters.add(
                Filters.onBoth(
                        request -> {
                            assertThat(request.context().principal).isEqualTo(KafkaPrincipal.ANONYMOUS);
                            CreateTopicsRequestData changed = new CreateTopicsRequestData();
                            changed.topics().add(new CreatableTopic().setName("changed"));
                            request.replaceBody(new CreateTopicsRequest.Builder(changed).build(INNER_VERSION));
                        },
                        response -> response.replaceBody(response(Errors.TOPIC_ALREADY_EXISTS))),
                ApiKeys.CREATE_TOPICS.id);
        EnvelopeResponse envelope = answered(request -> {
            assertThat(request.body(CreateTopicsRequest.class).data().topics().find("changed"))
                    .isNotNull();
            assertThat(new CreateTopicsRequestData(new ByteBufferAccessor(request.bodyBytes()), INNER_VERSION)
                            .topics()
                            .find("changed"))
                    .isNotNull();
            request.respond(response(Errors.NONE));
        });

        assertThat(inner(envelope).data().topics().find("t").errorCode()).isEqualTo(Errors.TOPIC_ALREADY_EXISTS.code());
        connection.posted.remove().completed(1);
        assertThat(completed.get(0).subject().errors()).containsEntry(Errors.TOPIC_ALREADY_EXISTS, 1);
        services.filters.registry.close();
    }

    @Test
    void filterOfTheInnerApiRefusesItWithItsOwnError() {
        services.filters.add(
                Filters.onRequest(request -> request.refuse(Errors.POLICY_VIOLATION, "no")), ApiKeys.CREATE_TOPICS.id);

        EnvelopeResponse envelope = answered(request -> request.respond(response(Errors.NONE)));

        assertThat(envelope.error()).isEqualTo(Errors.NONE);
        assertThat(inner(envelope).data().topics().find("t").errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
        services.filters.registry.close();
    }

    @Test
    void apiThatIsNotServedIsAnErrorOfTheEnvelope() {
        handle(null);
        EnvelopeResponse envelope = (EnvelopeResponse) parse(connection.posted.peek());
        assertThat(envelope.error()).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    private EnvelopeResponse answered(RequestHandler handler) {
        handle(handler);
        return (EnvelopeResponse) parse(connection.posted.peek());
    }

    private void handle(RequestHandler handler) {
        connection.posted.clear();
        FakeReference<RequestHandler> reference =
                handler == null ? null : services.add(handler, 0, ApiKeys.CREATE_TOPICS.id);
        CreateTopicsRequestData body = new CreateTopicsRequestData();
        body.topics().add(new CreatableTopic().setName("t"));
        ByteBuffer inner = MessageUtil.toByteBufferAccessor(body, INNER_VERSION).buffer();
        EnvelopeRequestData envelope =
                new EnvelopeRequestData().setRequestData(inner).setClientHostAddress(new byte[4]);
        intake.take(connection, Frames.of(ApiKeys.ENVELOPE, 0, envelope), 1, () -> {});
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
        if (reference != null) {
            services.registry.remove(reference);
        }
    }

    /** Stands for the handler of envelopes: what it throws is answered as the envelope's error. */
    private void open(Request envelope) {
        RequestContext outer = envelope.context();
        RequestContext inner = new RequestContext(
                new RequestHeader(ApiKeys.CREATE_TOPICS, INNER_VERSION, "inner", INNER_CORRELATION),
                outer.connectionId,
                outer.clientAddress,
                KafkaPrincipal.ANONYMOUS,
                outer.listenerName,
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                true);
        dispatcher.routeEmbedded(
                envelope, inner, envelope.body(EnvelopeRequest.class).requestData());
    }

    private static CreateTopicsResponse response(Errors error) {
        CreateTopicsResponseData data = new CreateTopicsResponseData();
        data.topics().add(new CreatableTopicResult().setName("t").setErrorCode(error.code()));
        return new CreateTopicsResponse(data);
    }

    private static AbstractResponse parse(Outgoing outgoing) {
        ByteBuffer bytes = FakeConnection.written(outgoing);
        bytes.getInt();
        return AbstractResponse.parseResponse(bytes, new RequestHeader(ApiKeys.ENVELOPE, (short) 0, "test", 7));
    }

    private static CreateTopicsResponse inner(EnvelopeResponse envelope) {
        return (CreateTopicsResponse) AbstractResponse.parseResponse(
                envelope.responseData(),
                new RequestHeader(ApiKeys.CREATE_TOPICS, INNER_VERSION, "inner", INNER_CORRELATION));
    }
}
