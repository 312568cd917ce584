package io.gregor.security.tls.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.security.SecuredConnection;
import io.gregor.testing.Fake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AsideEngineTest {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Deque<Runnable> steps = new ArrayDeque<>();
    private final SecuredConnection connection = Fake.of(SecuredConnection.class, (proxy, method, arguments) -> {
        steps.add((Runnable) arguments[0]);
        return null;
    });
    private final ByteBuffer toServer = ByteBuffer.allocate(40_000);
    private final ByteBuffer toClient = ByteBuffer.allocate(40_000);
    private final ByteBuffer read = ByteBuffer.allocate(40_000);

    @TempDir
    Path folder;

    private SSLEngine client;
    private AsideEngine server;

    @BeforeEach
    void make() throws IOException {
        Path file = Pem.file(folder.resolve("store.pem"), "first");
        Stores stores = new StoreReading(Pem.listener(Map.of(
                        "ssl.keystore.location",
                        file.toString(),
                        "ssl.truststore.certificates",
                        Pem.password(Pem.text("authority")),
                        "ssl.client.auth",
                        "required")))
                .read(0);
        client = stores.engines().createClientSslEngine("localhost", 1, "");
        server = new AsideEngine(stores.engines().createServerSslEngine("127.0.0.1", 1), connection);
    }

    @Test
    void needsItsTaskUntilThatIsDoneAside() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        client.wrap(NOTHING, toServer);
        toServer.flip();
        assertThat(server.unwrap(toServer, read).getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);

        assertThat(server.getDelegatedTask()).isNull();
        assertThat(server.getDelegatedTask()).isNull();

        assertThat(steps).hasSize(1);
        assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
        assertThat(server.wrap(NOTHING, toClient).bytesProduced()).isZero();
        assertThat(server.unwrap(toServer, read).bytesConsumed()).isZero();
        steps.remove().run();
        assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
    }

    @Test
    void shakesHandsWithAllTasksAside() throws SSLException {
        shakeHands();

        assertThat(isShaking()).isFalse();
        assertThat(server.getSession().getPeerPrincipal().getName()).isEqualTo("CN=localhost");
        assertThat(server.getSession().getProtocol()).isEqualTo("TLSv1.3");
    }

    @Test
    void refusesAnotherHandshake() throws SSLException {
        client.setEnabledProtocols(new String[] {"TLSv1.2"});
        shakeHands();
        assertThat(isShaking()).isFalse();
        assertThat(server.getSession().getProtocol()).isEqualTo("TLSv1.2");

        client.beginHandshake();
        client.wrap(NOTHING, toServer);
        toServer.flip();

        assertThatThrownBy(() -> server.unwrap(toServer, read)).isInstanceOf(SSLHandshakeException.class);
    }

    private void shakeHands() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int turn = 0; turn < 50 && isShaking(); turn++) {
            drive(client, toClient, toServer);
            drive(server, toServer, toClient);
            while (!steps.isEmpty()) {
                steps.remove().run();
            }
        }
    }

    private boolean isShaking() {
        return client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
                || server.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private void drive(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> engine.wrap(NOTHING, out);
            case NEED_UNWRAP, NOT_HANDSHAKING -> {
                in.flip();
                engine.unwrap(in, read);
                in.compact();
            }
            case NEED_TASK -> {
                Runnable task = engine.getDelegatedTask();
                if (task != null) {
                    task.run();
                }
            }
            default -> throw new AssertionError(engine.getHandshakeStatus());
        }
    }
}
