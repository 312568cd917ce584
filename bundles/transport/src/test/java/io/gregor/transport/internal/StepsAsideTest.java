package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.api.security.SecuredConnection;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.request.Connection;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Verdict;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.transport.NoAuthenticators;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.PlaintextTransportLayer;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.fault.FaultHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real sockets and processors under a layer whose handshake is some bytes, each of which takes a step aside. */
class StepsAsideTest {
    private static final ListenerName NAME = new ListenerName("L");
    private static final int STEPS = 12;
    private static final byte[] FRAME = {0, 0, 0, 1, 7};

    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger violations = new AtomicInteger();
    private final List<Socket> clients = new ArrayList<>();
    private final List<Processor> processors = new ArrayList<>();
    private final Metrics metrics = new Metrics();
    private volatile Consumer<SteppingLayer> step = layer -> Thread.onSpinWait();
    private volatile int bytesOfHandshake = STEPS;
    private RoleTransport role;
    private ConnectionQuotas.ListenerShare share;
    private ServerSocketChannel server;
    private ListenerChannels channels;

    private final class SteppingLayer extends PlaintextTransportLayer {
        private final SecuredConnection connection;
        private final ByteBuffer one = ByteBuffer.allocate(1);
        private int left = bytesOfHandshake;
        private volatile boolean isInStep;

        SteppingLayer(SecuredConnection connection) throws IOException {
            super(connection.key());
            this.connection = connection;
        }

        @Override
        public boolean ready() {
            return left == 0;
        }

        @Override
        public void handshake() {
            note();
            int count = readOne();
            if (count > 0) {
                connection.aside(() -> {
                    isInStep = true;
                    try {
                        step.accept(this);
                        left--;
                    } finally {
                        isInStep = false;
                    }
                });
            }
        }

        private int readOne() {
            try {
                int count = read(one.clear());
                if (count < 0) {
                    throw new EOFException();
                }
                return count;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            note();
            closes.incrementAndGet();
            super.close();
        }

        private void note() {
            if (isInStep) {
                violations.incrementAndGet();
            }
        }
    }

    @BeforeEach
    void open() throws IOException {
        FakeNodeConfig config = FakeNodeConfig.of();
        NodeFaults faults = Fake.of(NodeFaults.class, Map.of("fatal", (FaultHandler) (message, fault) -> {
            violations.incrementAndGet();
            return new RuntimeException(message, fault);
        }));
        role = new RoleTransport(Role.BROKER, config, faults, metrics);
        share = role.quotas().addListener(NAME, QuotaSettings.of(NAME, config.values()), false);
        ChannelLayer layer = SteppingLayer::new;
        ListenerSecurity security = new ListenerSecurity(NAME, SecurityProtocol.PLAINTEXT, Map.of());
        ListenerAuthenticator nobody = new NoAuthenticators().forListener(security);
        SideThreads aside = role.sideThreads(NAME);
        channels = new ListenerChannels(
                security,
                false,
                new InUse<>(layer, layer::close, aside),
                new InUse<>(nobody, nobody::close, aside),
                new SecurityParts(told -> layer, told -> nobody, "none", null));
        role.intake().fill(new FrameIntake() {
            @Override
            public Verdict take(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
                frames.incrementAndGet();
                return Verdict.CLOSE;
            }
        });
        server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0), 500);
    }

    @AfterEach
    void close() throws Exception {
        processors.forEach(processor -> processor.closeDoors(0));
        for (Processor processor : processors) {
            assertThat(processor.awaitEnd(10_000)).isTrue();
        }
        for (Socket client : clients) {
            client.close();
        }
        server.close();
        role.close();
        metrics.close();
        assertThat(violations).hasValue(0);
    }

    @Test
    void handshakesEndWhereverTheConnectionsMoveMeanwhile() throws Exception {
        int count = 300;
        start(4);
        for (int client = 0; client < count; client++) {
            connect(processors.get(client % 4), STEPS, true);
        }
        for (int moves = 0; frames.get() < count && moves < 5_000; moves++) {
            Rotation targets = new Rotation();
            targets.replace(List.of(processors.get((moves + 1) % 4), processors.get((moves + 2) % 4)));
            processors.get(moves % 4).share(20, targets);
            LockSupport.parkNanos(100_000);
        }
        Rotation last = new Rotation();
        last.replace(List.of(processors.get(0)));
        processors.stream().skip(1).forEach(processor -> processor.retire(last));

        for (Socket client : clients) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        await(() -> closes.get() == count);
        assertThat(frames).hasValue(count);
        assertThat(processors.stream().mapToInt(Processor::connectionCount).sum())
                .isZero();
    }

    @Test
    void socketIsClosedAtOnceAndTheLayerAfterItsStep() throws Exception {
        CountDownLatch isInStep = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        step = layer -> {
            isInStep.countDown();
            awaitQuietly(mayEnd);
        };
        start(1);
        Socket client = connect(processors.get(0), 1, false);
        isInStep.await();

        assertThat(role.processors().kill(connections().get(0).id())).isTrue();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        assertThat(closes).hasValue(0);
        mayEnd.countDown();

        await(() -> closes.get() == 1);
    }

    @Test
    void clientThatKeepsSendingCostsNothingWhileItsStepIsUnderWay() throws Exception {
        CountDownLatch isInStep = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        step = layer -> {
            isInStep.countDown();
            awaitQuietly(mayEnd);
        };
        bytesOfHandshake = 1;
        start(1);
        Socket client = connect(processors.get(0), 1, true);
        isInStep.await();
        long selects = selects();
        client.getOutputStream().write(new byte[1_000]);
        client.getOutputStream().flush();
        connect(processors.get(0), 0, false); // the processor has a turn for this one
        await(() -> connections().size() == 2);

        assertThat(selects() - selects).isLessThan(10);
        assertThat(frames).hasValue(0);
        mayEnd.countDown();
        await(() -> frames.get() == 1);
    }

    @Test
    void stepThatThrowsClosesItsConnectionAndNoOther() throws Exception {
        step = layer -> {
            throw new IllegalStateException("a bug");
        };
        start(1);
        Socket faulty = connect(processors.get(0), 1, false);
        assertThat(faulty.getInputStream().read()).isEqualTo(-1);
        step = layer -> {};
        Socket next = connect(processors.get(0), STEPS, true);

        assertThat(next.getInputStream().read()).isEqualTo(-1);
        assertThat(frames).hasValue(1);
    }

    @Test
    void doorsCloseThoughAStepDoesNotEnd() throws Exception {
        CountDownLatch isInStep = new CountDownLatch(2);
        CountDownLatch mayEnd = new CountDownLatch(1);
        step = layer -> {
            isInStep.countDown();
            awaitQuietly(mayEnd);
        };
        start(1);
        Socket client = connect(processors.get(0), 1, false);
        connect(processors.get(0), 1, false);
        isInStep.await();

        processors.get(0).closeDoors(60_000_000_000L);
        assertThat(processors.get(0).awaitEnd(10_000)).isTrue();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        channels.giveUp();
        mayEnd.countDown();

        await(() -> closes.get() == 2);
    }

    private void start(int count) throws IOException {
        for (int id = 0; id < count; id++) {
            Processor processor = new Processor(id, role, channels);
            processors.add(processor);
            processor.start();
        }
    }

    /** A client that sends so many bytes of its handshake, and perhaps a frame, and then waits. */
    private Socket connect(Processor processor, int handshakeBytes, boolean sendsFrame) throws Exception {
        Socket client = new Socket("127.0.0.1", server.socket().getLocalPort());
        client.setSoTimeout(20_000);
        clients.add(client);
        ByteBuffer bytes = ByteBuffer.allocate(handshakeBytes + FRAME.length).position(handshakeBytes);
        if (sendsFrame) {
            bytes.put(FRAME);
        }
        client.getOutputStream().write(bytes.array(), 0, bytes.position());
        SocketChannel accepted = server.accept();
        accepted.configureBlocking(false);
        share.tryTakePlace(() -> {});
        share.tryAddress(client.getLocalAddress());
        processor.offer(new Accepted(accepted, client.getLocalAddress(), share), true);
        return client;
    }

    private List<ClientConnection> connections() {
        return processors.stream()
                .flatMap(processor -> processor.connections().all().stream())
                .toList();
    }

    private long selects() {
        return processors.get(0).connections().counters().selects.total();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
