package io.gregor.testing;

import io.gregor.api.Request;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/** A request made by a test, which keeps what became of it. Owned by the test's thread; answers may come from others. */
public final class FakeRequest extends FakeExchange<AbstractRequest> implements Request {
    /** What {@link #answers} has for a request that ended without a response. */
    public static final String NOTHING = "nothing";

    /** What {@link #answers} has for a request that ended with its connection. */
    public static final String CLOSED = "closed";

    private static final String LISTENER = "PLAINTEXT";

    /** The version of the request header that new API keys have. */
    private static final short FLEXIBLE_HEADER = 2;

    private final List<Object> answers = new CopyOnWriteArrayList<>();
    private @Nullable RuntimeException fault;
    private @Nullable Runnable whenHurried;

    private FakeRequest(RequestContext context, @Nullable AbstractRequest body, @Nullable ByteBuffer bytes) {
        super(context, body, bytes);
    }

    /** A request with this body. */
    public FakeRequest(AbstractRequest body) {
        this(context(body.apiKey(), body.version(), LISTENER), body, null);
    }

    /** The same, of a client that is known, over a listener with a security protocol. */
    public static FakeRequest from(KafkaPrincipal who, SecurityProtocol protocol, AbstractRequest body) {
        RequestHeader header = new RequestHeader(body.apiKey(), body.version(), "client", 7);
        return new FakeRequest(context(header, protocol.name, who, protocol), body, null);
    }

    /** A request of a new API key, with the bytes from position to limit as its body. */
    public static FakeRequest ofBytes(int apiKey, int version, ByteBuffer bytes) {
        return new FakeRequest(context(apiKey, version, LISTENER), null, bytes.slice());
    }

    /** A request that is read from its bytes as a client sends them; of a version that is not known, an empty one. */
    public static FakeRequest parsed(ApiKeys api, int version, ApiMessage message) {
        return parsed(api, version, LISTENER, message);
    }

    /** The same, over a listener. */
    public static FakeRequest parsed(ApiKeys api, int version, String listener, ApiMessage message) {
        RequestContext context = context(api, version, listener);
        ByteBuffer bytes = api.isVersionSupported((short) version)
                ? MessageUtil.toByteBufferAccessor(message, (short) version).buffer()
                : ByteBuffer.allocate(0);
        return new FakeRequest(context, context.parseRequest(bytes).request, null);
    }

    /** Who asks: an anonymous client of a plaintext listener. */
    public static RequestContext context(ApiKeys api, int version, String listener) {
        return context(new RequestHeader(api, (short) version, "client", 7), listener);
    }

    /** The same for a new API key, whose header has no name in Kafka. */
    public static RequestContext context(int apiKey, int version, String listener) {
        RequestHeaderData data = new RequestHeaderData()
                .setRequestApiKey((short) apiKey)
                .setRequestApiVersion((short) version)
                .setClientId("client")
                .setCorrelationId(7);
        return context(new RequestHeader(data, FLEXIBLE_HEADER), listener);
    }

    private static RequestContext context(RequestHeader header, String listener) {
        return context(header, listener, KafkaPrincipal.ANONYMOUS, SecurityProtocol.PLAINTEXT);
    }

    private static RequestContext context(
            RequestHeader header, String listener, KafkaPrincipal who, SecurityProtocol protocol) {
        return new RequestContext(
                header,
                "connection",
                InetAddress.getLoopbackAddress(),
                who,
                new ListenerName(listener),
                protocol,
                ClientInformation.EMPTY,
                false);
    }

    /** Responses cannot be sent any more; errors still can. */
    public void failResponses(RuntimeException withFault) {
        fault = withFault;
    }

    /** The answer is wanted now. */
    public void hurry() {
        if (whenHurried == null) {
            throw new AssertionError("the request does not wait");
        }
        whenHurried.run();
    }

    /** What the handler gave: responses, messages, bytes, faults, {@link #NOTHING}, {@link #CLOSED}. */
    public List<Object> answers() {
        return answers;
    }

    /** The only answer there is, as the handler gave it. */
    public Object answer() {
        if (answers.size() != 1) {
            throw new AssertionError("answers: " + answers);
        }
        return answers.get(0);
    }

    /** The only answer there is; a response is made from what the client would get, if the handler gave no such object. */
    public <T> T answer(Class<T> type) {
        Object answer = answer();
        if (type.isInstance(answer)) {
            return type.cast(answer);
        }
        AbstractRequest asked = ownBody();
        if (answer instanceof Throwable thrown) {
            return type.cast(asked.getErrorResponse(thrown));
        }
        ByteBuffer written = answer instanceof ApiMessage message
                ? MessageUtil.toByteBufferAccessor(message, apiVersion()).buffer()
                : ((ByteBuffer) answer).duplicate();
        return type.cast(AbstractResponse.parseResponse(asked.apiKey(), new ByteBufferAccessor(written), apiVersion()));
    }

    private void keep(Object answer) {
        answers.add(answer);
    }

    @Override
    public <T extends AbstractRequest> T body(Class<T> type) {
        return type.cast(ownBody());
    }

    @Override
    public long receivedNs() {
        return 0;
    }

    @Override
    public RequestLocal local() {
        return RequestLocal.noCaching();
    }

    @Override
    public void respond(AbstractResponse response) {
        if (fault != null) {
            throw fault;
        }
        keep(response);
    }

    @Override
    public void respond(ApiMessage message) {
        keep(message);
    }

    @Override
    public void respondBytes(ByteBuffer answer) {
        keep(answer);
    }

    @Override
    public void respondError(Throwable thrown) {
        keep(thrown);
    }

    @Override
    public void respondNothing() {
        keep(NOTHING);
    }

    @Override
    public void closeConnection() {
        keep(CLOSED);
    }

    @Override
    public void startThrottle() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void endThrottle() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void later(Runnable work) {
        work.run();
    }

    @Override
    public void whenHurried(Runnable work) {
        whenHurried = work;
    }
}
