package io.gregor.example.echo.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;

/**
 * A client of the echo, API key 10000, over one PLAINTEXT connection. Owned by one thread.
 *
 * <p>It shows what a client of a new API needs: Kafka's frames (four bytes of length, then header and body), the request header
 * of version 2 and the response header of version 1, which flexible APIs have, and ApiVersions to ask whether the API is
 * served. From a terminal:
 *
 * <pre>
 *  java -cp examples/example-echo.jar io.gregor.example.echo.client.EchoClient localhost:9092 hello
 * </pre>
 *
 * prints {@code hello}, and ends with status 0; with 1 and a reason if the broker has no echo or cannot be reached.
 *
 * @see <a href="https://kafka.apache.org/protocol#protocol_messages">Kafka protocol, request and response headers</a>
 */
public final class EchoClient implements Closeable {
    /** More than this is neither sent nor taken: 16 MiB. */
    public static final int LIMIT_BYTES = 16 * 1024 * 1024;

    private static final short API_KEY = 10_000;
    private static final short API_VERSION = 0;
    private static final short API_VERSIONS_KEY = 18;
    private static final String CLIENT_ID = "echo-client";
    private static final Duration TERMINAL_TIMEOUT = Duration.ofSeconds(10);

    private final DataInputStream in;
    private final DataOutputStream out;
    private final Closeable connection;
    private int correlationId;

    EchoClient(InputStream in, OutputStream out, Closeable connection) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
        this.connection = connection;
    }

    /**
     * Connects.
     *
     * @param timeout for the connection, and for each answer
     * @throws IOException if nobody listens there in time
     */
    public static EchoClient connect(String host, int port, Duration timeout) throws IOException {
        int timeoutMs = Math.toIntExact(timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMs);
            socket.connect(new InetSocketAddress(host, port), timeoutMs);
            return new EchoClient(socket.getInputStream(), socket.getOutputStream(), socket);
        } catch (IOException fault) {
            socket.close();
            throw fault;
        }
    }

    /** Whether the broker lists the API; one that does not closes the connection when it is called. */
    public boolean isServed() throws IOException {
        send(API_VERSIONS_KEY, false, new byte[0]);
        DataInputStream answer = new DataInputStream(new ByteArrayInputStream(receive(false)));
        short error = answer.readShort();
        if (error != 0) {
            throw new IOException("ApiVersions failed: errorCode=" + error);
        }
        boolean isServed = false;
        for (int left = answer.readInt(); left > 0; left--) {
            short key = answer.readShort();
            short min = answer.readShort();
            short max = answer.readShort();
            isServed |= key == API_KEY && min <= API_VERSION && API_VERSION <= max;
        }
        return isServed;
    }

    /**
     * Sends bytes, and returns those that come back.
     *
     * @throws IllegalArgumentException if they are more than {@link #LIMIT_BYTES}
     * @throws IOException if the connection ends, as it does where there is no echo, or the answer is no answer to this
     */
    public byte[] echo(byte[] bytes) throws IOException {
        if (bytes.length > LIMIT_BYTES) {
            throw new IllegalArgumentException(
                    "too much to echo: bytes=" + bytes.length + " limitBytes=" + LIMIT_BYTES);
        }
        send(API_KEY, true, bytes);
        return receive(true);
    }

    /** Request header: key, version, correlation id, client id, and in a flexible one the number of tagged fields. */
    private void send(short key, boolean isFlexible, byte[] body) throws IOException {
        byte[] clientId = CLIENT_ID.getBytes(UTF_8);
        ByteArrayOutputStream frame = new ByteArrayOutputStream(body.length + 32);
        DataOutputStream fields = new DataOutputStream(frame);
        fields.writeShort(key);
        fields.writeShort(API_VERSION);
        fields.writeInt(++correlationId);
        fields.writeShort(clientId.length);
        fields.write(clientId);
        if (isFlexible) {
            fields.writeByte(0);
        }
        fields.write(body);
        out.writeInt(frame.size());
        frame.writeTo(out);
        out.flush();
    }

    /** Response header: correlation id, and in a flexible one the tagged fields. Returns what follows it. */
    private byte[] receive(boolean isFlexible) throws IOException {
        int size = in.readInt();
        if (size < 4 || size > LIMIT_BYTES + 32) {
            throw new IOException("no answer of Kafka's protocol: sizeBytes=" + size);
        }
        byte[] frame = in.readNBytes(size);
        if (frame.length < size) {
            throw new EOFException("the answer ended too early: sizeBytes=" + size + " receivedBytes=" + frame.length);
        }
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(frame));
        int answered = fields.readInt();
        if (answered != correlationId) {
            throw new IOException(
                    "answer to another request: correlationId=" + answered + " expected=" + correlationId);
        }
        if (isFlexible) {
            for (int left = readVarint(fields); left > 0; left--) {
                readVarint(fields);
                fields.skipNBytes(readVarint(fields));
            }
        }
        return fields.readAllBytes();
    }

    /** Seven bits a byte, the lowest first. */
    private static int readVarint(DataInputStream from) throws IOException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = from.readUnsignedByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("a number is longer than five bytes");
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Echoes words: {@code HOST:PORT WORD...}. */
    public static void main(String[] arguments) {
        int colon = arguments.length < 2 ? -1 : arguments[0].lastIndexOf(':');
        if (colon < 0) {
            fail("two arguments are needed at least: HOST:PORT WORD...");
            return;
        }
        String words = String.join(" ", Arrays.copyOfRange(arguments, 1, arguments.length));
        String host = arguments[0].substring(0, colon);
        try (EchoClient client = connect(host, Integer.parseInt(arguments[0].substring(colon + 1)), TERMINAL_TIMEOUT)) {
            if (client.isServed()) {
                System.out.println(new String(client.echo(words.getBytes(UTF_8)), UTF_8));
            } else {
                fail("no echo here: copy examples/example-echo.jar to deploy/ of the broker");
            }
        } catch (IOException | IllegalArgumentException fault) {
            fail(arguments[0] + ": " + fault);
        }
    }

    private static void fail(String reason) {
        System.err.println("echo: " + reason);
        System.exit(1);
    }
}
