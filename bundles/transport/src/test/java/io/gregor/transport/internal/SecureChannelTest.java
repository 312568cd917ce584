package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.api.security.SecuredConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.ReauthenticationContext;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class SecureChannelTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private final List<String> calls = new ArrayList<>();
    private final List<FakeAuthenticator> opened = new ArrayList<>();
    private final List<Runnable> steps = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private ConnectionSecurity connection = connection();
    private ListenerChannels given = channels("none", this::fake);
    private boolean layerRefuses;
    private boolean layerIsReady;

    private final class FakeAuthenticator implements Authenticator {
        private final String name = "authenticator " + opened.size();
        private boolean isComplete;
        private boolean refuses;
        private Runnable step;
        private Long sessionEndNs;

        @Override
        public void authenticate() {
            calls.add(name + " authenticates");
            if (step != null) {
                connection.aside(step);
                step = null;
            }
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
                if (layerRefuses) {
                    throw new SslAuthenticationException(
                            "SSL handshake failed", new SSLHandshakeException("no cipher in common"));
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

        channel.reauthenticate(ByteBuffer.allocate(30), given, 5 * SECOND_NS);
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

    @Test
    void authenticatesAgainWithWhatTheListenerHasNowAndGivesBackWhatItHadBefore() throws IOException {
        SecureChannel channel = readyChannel();
        given.giveUp();
        ListenerChannels next = channels("next", this::fake);
        next.giveUp();
        next.release();
        assertThat(closed).containsExactly("authenticator of next", "layer of next");
        closed.clear();
        ListenerChannels another = channels("another", this::fake);

        channel.reauthenticate(ByteBuffer.allocate(30), next, 5 * SECOND_NS);
        assertThat(opened).as("what is closed is not used").hasSize(2);
        opened.get(1).isComplete = true;
        channel.advance();
        channel.reauthenticate(ByteBuffer.allocate(30), another, 8 * SECOND_NS);
        assertThat(closed).isEmpty();
        opened.get(2).isComplete = true;
        channel.advance();
        assertThat(closed).containsExactly("authenticator of given");
        channel.close();

        assertThat(closed).containsExactly("authenticator of given", "layer of given");
        another.giveUp();
        another.release();
        assertThat(closed).endsWith("authenticator of another", "layer of another");
    }

    @Test
    void authenticatesAgainAsBeforeWhenTheListenerDoesItAnotherWay() throws IOException {
        SecureChannel channel = readyChannel();
        ListenerChannels other = channels("other", "tokens", (over, id) -> {
            throw new AssertionError("not asked");
        });

        channel.reauthenticate(ByteBuffer.allocate(30), other, 5 * SECOND_NS);

        assertThat(opened).hasSize(2);
    }

    @Test
    void doesNothingWhileAStepIsUnderWayAndGoesOnAfterIt() throws IOException {
        layerIsReady = true;
        SecureChannel channel = open();
        opened.get(0).step = () -> calls.add("step");

        assertThat(channel.advance()).isTrue();
        assertThat(calls).containsExactly("authenticator 0 authenticates");
        assertThat(channel.isAside()).isTrue();
        assertThat(channel.hasEndedStep()).isFalse();
        steps.remove(0).run();
        assertThat(channel.hasEndedStep()).isTrue();
        assertThat(channel.isAside()).isFalse();
        assertThat(channel.hasEndedStep()).isFalse();
        opened.get(0).isComplete = true;
        channel.advance();

        assertThat(channel.isReady()).isTrue();
        assertThat(calls).containsExactly("authenticator 0 authenticates", "step");
    }

    @Test
    void closesAfterAStepThatRunsAndAtOnceIfItHasNotBegun() throws IOException {
        layerIsReady = true;
        SecureChannel running = open();
        opened.get(0).step = () -> {
            try {
                running.close();
                calls.add("asked to close");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        given.giveUp();
        running.advance();
        calls.clear();
        steps.remove(0).run();
        assertThat(calls).containsExactly("asked to close", "authenticator 0 closes", "layer: close");
        assertThat(closed).containsExactly("authenticator of given", "layer of given");

        connection = connection();
        SecureChannel waiting = open();
        opened.get(1).step = () -> calls.add("never");
        waiting.advance();
        calls.clear();
        waiting.close();
        steps.remove(0).run();
        assertThat(calls).containsExactly("authenticator 1 closes", "layer: close");
    }

    @Test
    void passesOnWhatAStepThrows() throws IOException {
        layerIsReady = true;
        SecureChannel channel = open();
        opened.get(0).step = () -> {
            throw new IllegalArgumentException("bad name");
        };
        channel.advance();
        steps.remove(0).run();

        assertThatThrownBy(channel::isAside)
                .isInstanceOf(StepFailure.class)
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesNoStepOutsideOfItsCallsAndOneInEach() throws IOException {
        assertThatThrownBy(() -> connection.aside(() -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.stepsAside(() -> {
                    connection.aside(() -> {});
                    connection.aside(() -> {});
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(steps).isEmpty();
    }

    @Test
    void saysWhenTheLayerRefusesWhichHasToldItself() throws IOException {
        layerRefuses = true;
        SecureChannel channel = open();

        assertThat(channel.advance()).isFalse();

        assertThat(channel.isRefusedByLayer()).isTrue();
        assertThat(channel.refusalReason()).isEqualTo("SSL handshake failed: no cipher in common");
    }

    private ListenerChannels channels(String name, ListenerAuthenticator authenticator) {
        return channels(name, "sasl", authenticator);
    }

    private ListenerChannels channels(String name, String kind, ListenerAuthenticator authenticator) {
        SecurityParts parts = new SecurityParts(security -> connected -> layer, security -> authenticator, kind, null);
        ListenerChannels made = new ListenerChannels(
                new ListenerSecurity(new ListenerName("L"), SecurityProtocol.SASL_PLAINTEXT, Map.of()),
                false,
                new InUse<>(connected -> layer, () -> closed.add("layer of " + name), Runnable::run),
                new InUse<>(authenticator, () -> closed.add("authenticator of " + name), Runnable::run),
                parts);
        made.tryUse();
        return made;
    }

    private FakeAuthenticator fake(TransportLayer over, SecuredConnection secured) {
        FakeAuthenticator next = new FakeAuthenticator();
        opened.add(next);
        return next;
    }

    private SecureChannel readyChannel() {
        layerIsReady = true;
        FakeAuthenticator complete = new FakeAuthenticator();
        complete.isComplete = true;
        return new SecureChannel(
                connection,
                layer,
                given = channels("given", (over, id) -> {
                    FakeAuthenticator next = opened.isEmpty() ? complete : new FakeAuthenticator();
                    opened.add(next);
                    return next;
                }),
                0);
    }

    private ConnectionSecurity connection() {
        return new ConnectionSecurity("c", new ForwardingKey(socket(), 0), steps::add, () -> null);
    }

    private static SocketChannel socket() {
        try {
            return SocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SecureChannel open() {
        return new SecureChannel(connection, layer, given = channels("given", this::fake), 0);
    }
}
