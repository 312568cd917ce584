package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.ReauthenticationContext;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.junit.jupiter.api.Test;

class SecureChannelTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final List<String> calls = new ArrayList<>();
    private final List<FakeAuthenticator> opened = new ArrayList<>();
    private final List<Runnable> steps = new ArrayList<>();
    private final ConnectionSecurity connection =
            new ConnectionSecurity("c", new ForwardingKey(socket(), 0), steps::add, () -> null);
    private boolean layerIsReady;

    private final class FakeAuthenticator implements Authenticator {
        private final String name = "authenticator " + opened.size();
        private boolean isComplete;
        private boolean refuses;
        private Long sessionEndNs;

        @Override
        public void authenticate() {
            calls.add(name + " authenticates");
            if (refuses) {
                throw new SaslAuthenticationException("wrong password");
            }
        }

        @Override
        public void reauthenticate(ReauthenticationContext context) {
            calls.add(name + " takes over from " + ((FakeAuthenticator) context.previousAuthenticator()).name + " with "
                    + context.networkReceive().payload().remaining() + " bytes");
        }

        @Override
        public void handleAuthenticationFailure() {
            calls.add(name + " tells");
        }

        @Override
        public KafkaPrincipal principal() {
            return new KafkaPrincipal("User", name);
        }

        @Override
        public Optional<KafkaPrincipalSerde> principalSerde() {
            return Optional.empty();
        }

        @Override
        public boolean complete() {
            return isComplete;
        }

        @Override
        public Long serverSessionExpirationTimeNanos() {
            return sessionEndNs;
        }

        @Override
        public void close() {
            calls.add(name + " closes");
        }
    }

    private final TransportLayer layer = (TransportLayer) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {TransportLayer.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("ready")) {
                    return layerIsReady;
                }
                calls.add("layer: " + method.getName());
                return null;
            });

    @Test
    void shakesHandsThenAuthenticatesThenIsReady() throws IOException {
        SecureChannel channel = open();
        assertThat(channel.advance()).isTrue();
        layerIsReady = true;
        assertThat(channel.advance()).isTrue();
        assertThat(channel.isReady()).isFalse();
        assertThatThrownBy(channel::principal).isInstanceOf(IllegalStateException.class);
        opened.get(0).isComplete = true;
        channel.advance();

        assertThat(channel.isReady()).isTrue();
        assertThat(channel.principal().getName()).isEqualTo("authenticator 0");
        assertThat(calls).containsExactly("layer: handshake", "authenticator 0 authenticates");
    }

    @Test
    void refusesAndTellsWhenItIsAskedTo() throws IOException {
        layerIsReady = true;
        SecureChannel channel = open();
        opened.get(0).refuses = true;

        assertThat(channel.advance()).isFalse();
        assertThat(channel.isRefused()).isTrue();
        channel.tellRefused();
        channel.close();

        assertThat(calls)
                .containsExactly(
                        "authenticator 0 authenticates",
                        "authenticator 0 tells",
                        "authenticator 0 closes",
                        "layer: close");
    }

    @Test
    void takesANewHandshakeOnceASecondAndOnlyForSessionsThatEnd() throws IOException {
        SecureChannel channel = readyChannel();
        assertThat(channel.takesReauthentication(5 * SECOND_NS)).isFalse();
        opened.get(0).sessionEndNs = 10 * SECOND_NS;
        assertThat(channel.takesReauthentication(5 * SECOND_NS)).isTrue();
        assertThat(channel.isSessionExpired(10 * SECOND_NS)).isFalse();
        assertThat(channel.isSessionExpired(10 * SECOND_NS + 1)).isTrue();

        channel.reauthenticate(ByteBuffer.allocate(30), 5 * SECOND_NS);
        assertThat(channel.isReady()).isFalse();
        opened.get(1).isComplete = true;
        opened.get(1).sessionEndNs = 20 * SECOND_NS;
        channel.advance();

        assertThat(channel.isReady()).isTrue();
        assertThat(channel.principal().getName()).isEqualTo("authenticator 1");
        assertThat(channel.takesReauthentication(6 * SECOND_NS - 1)).isFalse();
        assertThat(channel.takesReauthentication(6 * SECOND_NS)).isTrue();
        assertThat(calls)
                .containsExactly(
                        "authenticator 1 takes over from authenticator 0 with 30 bytes",
                        "authenticator 1 authenticates");
    }

    private SecureChannel readyChannel() {
        layerIsReady = true;
        FakeAuthenticator complete = new FakeAuthenticator();
        complete.isComplete = true;
        return new SecureChannel(
                connection,
                layer,
                (over, id) -> {
                    FakeAuthenticator next = opened.isEmpty() ? complete : new FakeAuthenticator();
                    opened.add(next);
                    return next;
                },
                0);
    }

    private static SocketChannel socket() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SecureChannel open() {
        return new SecureChannel(
                connection,
                layer,
                (over, id) -> {
                    FakeAuthenticator next = new FakeAuthenticator();
                    opened.add(next);
                    return next;
                },
                0);
    }
}
