package io.gregor.testsupport;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * One connection to a node, one request after the other: for new API keys, which Kafka's clients do not know, and for requests
 * of Kafka's own in a chosen form. Owned by the thread that uses it.
 */
public final class ApiClient implements AutoCloseable {
    private static final String CLIENT_ID = "api-client";

    /** Header versions of new API keys: a request's flexible one, and a response's. */
    private static final short REQUEST_HEADER = 2;

    private static final short RESPONSE_HEADER = 1;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;
    private int correlationId;

    private ApiClient(int port, Duration limit) throws IOException {
        try {
            int limitMs = Math.toIntExact(limit.toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(limitMs);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), limitMs);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException fault) {
            socket.close();
            throw fault;
        }
    }

    /**
     * Connects to a port of this machine.
     *
     * @param limit after which an answer that has not come is a fault, in milliseconds or more
     * @throws UncheckedIOException if nobody listens
     */
    public static ApiClient connect(int port, Duration limit) {
        try {
            return new ApiClient(port, limit);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /**
     * Sends a request of a new API key and waits for its answer.
     *
     * @param apiKey 10000 to 32767
     * @param body the bytes after the header, from position to limit
     * @return the bytes of the answer after its header
     * @throws UncheckedIOException if the connection ends first, as it does for an error, or the limit passes
     */
    public ByteBuffer call(int apiKey, int apiVersion, ByteBuffer body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey((short) apiKey)
                .setRequestApiVersion((short) apiVersion)
                .setClientId(CLIENT_ID)
                .setCorrelationId(++correlationId);
        try {
            send(MessageUtil.toByteBufferAccessor(header, REQUEST_HEADER).buffer(), body.duplicate());
            ByteBuffer answer = receive();
            int answered = new ResponseHeaderData(new ByteBufferAccessor(answer), RESPONSE_HEADER).correlationId();
            if (answered != correlationId) {
                throw new IOException("answer to another request: correlationId=" + answered);
            }
            return answer.slice();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /**
     * Sends a request of Kafka's in its own version, and waits for its answer.
     *
     * @throws UncheckedIOException if the connection ends first, or the limit passes
     */
    public AbstractResponse call(AbstractRequest request) {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), CLIENT_ID, ++correlationId);
        try {
            send(request.serializeWithHeader(header));
            return AbstractResponse.parseResponse(receive(), header);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** The versions in which the node says that it serves an API key; empty if it does not. */
    public Optional<ApiVersion> versions(int apiKey) {
        short version = ApiKeys.API_VERSIONS.latestVersion();
        ApiVersionsResponse served = (ApiVersionsResponse) call(new ApiVersionsRequest.Builder().build(version));
        return Optional.ofNullable(served.data().apiKeys().find((short) apiKey));
    }

    private void send(ByteBuffer... parts) throws IOException {
        int size = 0;
        for (ByteBuffer part : parts) {
            size += part.remaining();
        }
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
        for (ByteBuffer part : parts) {
            frame.put(part);
        }
        out.write(frame.array());
        out.flush();
    }

    private ByteBuffer receive() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return ByteBuffer.wrap(frame);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
