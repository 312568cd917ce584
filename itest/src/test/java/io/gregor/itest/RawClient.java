package io.gregor.itest;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * One connection with nothing between the test and the wire: frames in, frames out, and bytes that are no frames. Owned by
 * the test thread.
 */
public final class RawClient implements Closeable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String CLIENT_ID = "itest";
    private static final String HERE = "127.0.0.1";

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final DataOutputStream out;

    private RawClient(String from, String host, int port, Duration limit) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
            if (!from.equals(HERE)) {
                socket.bind(new InetSocketAddress(from, 0));
            }
            socket.connect(new InetSocketAddress(host, port), Math.toIntExact(limit.toMillis()));
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException fault) {
            socket.close();
            throw fault;
        }
    }

    /** A connection to 127.0.0.1; reads fail after 10 seconds. */
    public static RawClient connect(int port) throws IOException {
        return new RawClient(HERE, HERE, port, LIMIT);
    }

    /** The same to and from other addresses of this machine, as 127.0.0.2. */
    public static RawClient connect(String from, String host, int port) throws IOException {
        return new RawClient(from, host, port, LIMIT);
    }

    /** Whether an ApiVersions request is answered within two seconds. */
    public static boolean answers(int port) {
        try (RawClient client = new RawClient(HERE, HERE, port, Duration.ofSeconds(2))) {
            client.send(new ApiVersionsRequest.Builder().build((short) 3), 0);
            client.readFrame();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Sends bytes as they are, no length in front. */
    public void sendBytes(byte... bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends the length, then these bytes. */
    public void sendFrame(byte... body) throws IOException {
        ByteBuffer frame =
                ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body);
        sendBytes(frame.array());
    }

    /** Sends a request of Kafka's in its own version. */
    public void send(AbstractRequest request, int correlationId) throws IOException {
        sendFrame(bytes(request, correlationId));
    }

    /** The bytes of a request after the length: header and body. */
    public static byte[] bytes(AbstractRequest request, int correlationId) {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), CLIENT_ID, correlationId);
        ByteBuffer bytes = request.serializeWithHeader(header);
        byte[] body = new byte[bytes.remaining()];
        bytes.get(body);
        return body;
    }

    /** Reads one frame, without its length. */
    public ByteBuffer readFrame() throws IOException {
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return ByteBuffer.wrap(body);
    }

    /** Reads the response to a request of this key, version and correlation id; fails if it is another's. */
    public AbstractResponse receive(ApiKeys key, short version, int correlationId) throws IOException {
        ByteBuffer frame = readFrame();
        RequestHeader header = new RequestHeader(key, version, CLIENT_ID, correlationId);
        return AbstractResponse.parseResponse(frame, header);
    }

    /** What is wrong in the response to a request of this key, version and correlation id: its error codes, or nothing. */
    public static String errors(ApiKeys key, short version, int correlationId, ByteBuffer frame) {
        RequestHeader header = new RequestHeader(key, version, CLIENT_ID, correlationId);
        Map<Errors, Integer> counts =
                AbstractResponse.parseResponse(frame, header).errorCounts();
        return counts.keySet().stream().allMatch(Errors.NONE::equals) ? "" : counts.toString();
    }

    /** Sends a request and reads its response. */
    public AbstractResponse call(AbstractRequest request, int correlationId) throws IOException {
        send(request, correlationId);
        return receive(request.apiKey(), request.version(), correlationId);
    }

    /** Reads until the other side closes; true if it did so without sending anything more. */
    public boolean isClosedByPeer() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException | SocketException closed) {
            return true;
        }
    }

    /** Reads what comes until the other side closes; a reset fails. */
    public byte[] readUntilClosed() throws IOException {
        return in.readAllBytes();
    }

    /** Ends the sending direction (FIN); the other one stays. */
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes with a reset (RST) instead of a FIN. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** The local port, which is part of the connection's id. */
    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
