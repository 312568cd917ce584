package io.gregor.transport.internal;

import io.gregor.api.security.ListenerAuthenticator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.ReauthenticationContext;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel layer of one connection under its authenticator. Owned by the processor thread of the connection.
 *
 * <pre>
 *  handshake ──▶ authentication ──▶ ready ──▶ re-authentication (KIP-368) ──▶ ready …
 *                      │                             │
 *                      └────────▶ refused ◀──────────┘
 * </pre>
 */
final class SecureChannel {
    private static final Logger LOGGER = LoggerFactory.getLogger(SecureChannel.class);
    private static final long LEAST_REAUTHENTICATION_NS = 1_000_000_000L;

    private final ConnectionSecurity connection;
    private final TransportLayer layer;
    private final ListenerChannels channels;
    private InUse<ListenerAuthenticator> authenticators;
    private @Nullable InUse<ListenerAuthenticator> former;
    private Authenticator authenticator;
    private boolean ready;
    private long unreadySinceNs;
    private boolean isReauthentication;
    private volatile @Nullable AuthenticationException refusal;
    private boolean isRefusedByLayer;
    private boolean hasReauthenticated;
    private long lastReauthenticationNs;
    private volatile @Nullable KafkaPrincipal principal;

    /** A channel that uses what its listener gave it, until it is closed. */
    SecureChannel(ConnectionSecurity connection, TransportLayer layer, ListenerChannels channels, long nowNs) {
        this.connection = connection;
        this.unreadySinceNs = nowNs;
        this.layer = layer;
        this.channels = channels;
        this.authenticators = channels.authenticator();
        this.authenticator = authenticators.part().open(layer, connection);
        noteIfReady();
    }

    TransportLayer layer() {
        return layer;
    }

    /** Whether frames may be read. */
    boolean isReady() {
        return ready;
    }

    /** When the handshake began that is not over. */
    long unreadySinceNs() {
        return unreadySinceNs;
    }

    /** Whether the client has been authenticated before the authentication that is under way, or was the last one. */
    boolean isReauthentication() {
        return isReauthentication;
    }

    /** How long the last re-authentication took, 0 if that is not known. */
    long reauthenticationMs() {
        Long latencyMs = authenticator.reauthenticationLatencyMs();
        return latencyMs == null ? 0 : latencyMs;
    }

    /** Whether the client can re-authenticate. */
    boolean canReauthenticate() {
        return authenticator.connectedClientSupportsReauthentication();
    }

    /** Whether the client was refused: nothing follows but the answer and the close. */
    boolean isRefused() {
        return refusal != null;
    }

    /** Whether the channel layer refused the client, not its authenticator. */
    boolean isRefusedByLayer() {
        return isRefusedByLayer;
    }

    /** Whether the channel layer has told a client that it refused; where no TLS was spoken it does so when it is closed. */
    boolean isToldByLayer() {
        AuthenticationException why = refusal;
        return isRefusedByLayer
                && why != null
                && why.getCause() instanceof SSLException fault
                && !fault.getClass().equals(SSLException.class);
    }

    /** Why the client was refused, for the operator. */
    String refusalReason() {
        AuthenticationException why = refusal;
        if (why == null) {
            return "";
        }
        Throwable cause = why.getCause();
        return why.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }

    /** What was found out about the client. */
    ChannelMetadataRegistry facts() {
        return connection.facts();
    }

    /**
     * Goes on with handshake and authentication as far as the bytes that are there allow, or to a step aside.
     *
     * @return false if the client was refused: by the layer, which has told it, or by the authenticator, which has an answer
     *     for it: {@link #tellRefused}
     */
    boolean advance() throws IOException {
        if (!layer.ready()) {
            boolean isHeldUp = isHeldUp(layer::handshake);
            isRefusedByLayer = isRefused();
            if (isHeldUp || !layer.ready()) {
                return !isRefused();
            }
        }
        if (!authenticator.complete() && isHeldUp(authenticator::authenticate)) {
            return !isRefused();
        }
        noteIfReady();
        return true;
    }

    /** Whether a call led to a step aside, or to a refusal. */
    private boolean isHeldUp(ConnectionSecurity.Call call) throws IOException {
        try {
            return connection.stepsAside(call);
        } catch (AuthenticationException e) {
            refusal = e;
            return true;
        }
    }

    /** Whether a step is under way aside: nothing is to be done with the channel. One that has ended is over with this call. */
    boolean isAside() {
        return connection.isAside();
    }

    /** Whether there is a step aside that is not over, be it that it has ended. */
    boolean hasStep() {
        return connection.hasStep();
    }

    /** Whether a step has ended, and the channel is to be gone on with. */
    boolean hasEndedStep() {
        return connection.hasEnded();
    }

    /** Sends the answer that the authenticator has for a client that it refused. */
    void tellRefused() throws IOException {
        authenticator.handleAuthenticationFailure();
    }

    /**
     * Starts a new authentication with its first frame, the handshake. It is made with what the listener has now, if that
     * is the same way to authenticate, else with what the connection had until now.
     *
     * @return false if the client was refused, as {@link #advance}
     */
    boolean reauthenticate(ByteBuffer handshake, ListenerChannels now, long nowNs) throws IOException {
        hasReauthenticated = true;
        lastReauthenticationNs = nowNs;
        unreadySinceNs = nowNs;
        isReauthentication = true;
        Authenticator previous = authenticator;
        if (now.authenticator() != authenticators
                && now.authenticatesLike(channels)
                && now.authenticator().tryUse()) {
            former = authenticators;
            authenticators = now.authenticator();
        }
        authenticator = authenticators.part().open(layer, connection);
        ready = false;
        NetworkReceive received = new NetworkReceive(connection.id(), handshake);
        ReauthenticationContext context = new ReauthenticationContext(previous, received, nowNs);
        return isHeldUp(() -> authenticator.reauthenticate(context)) ? !isRefused() : advance();
    }

    /** Whether a session with an end is to be renewed, and was not within the last second. */
    boolean takesReauthentication(long nowNs) {
        return authenticator.serverSessionExpirationTimeNanos() != null
                && (!hasReauthenticated || nowNs - lastReauthenticationNs >= LEAST_REAUTHENTICATION_NS);
    }

    boolean isSessionExpired(long nowNs) {
        Long endNs = authenticator.serverSessionExpirationTimeNanos();
        return endNs != null && nowNs - endNs > 0;
    }

    /** The client; not before it is authenticated. */
    KafkaPrincipal principal() {
        KafkaPrincipal known = principal;
        if (known == null) {
            throw new IllegalStateException("not authenticated yet: connection=" + connection.id());
        }
        return known;
    }

    /** Whether the client was authenticated, be it that it is again. */
    boolean isKnown() {
        return principal != null;
    }

    /** The client's name for those who look, from any thread. */
    String principalName() {
        KafkaPrincipal known = principal;
        return known == null ? "" : known.toString();
    }

    Optional<KafkaPrincipalSerde> principalSerde() {
        return authenticator.principalSerde();
    }

    /** Closes authenticator and layer, and the socket with it; after a step aside that runs, if there is one. */
    void close() throws IOException {
        if (!connection.abandon(this::closeAfterStep)) {
            closeParts();
        }
    }

    private void closeAfterStep() {
        try {
            closeParts();
        } catch (IOException | RuntimeException e) {
            LOGGER.debug("closing a channel failed: connection={} reason={}", connection.id(), e.toString());
        }
    }

    private void closeParts() throws IOException {
        try {
            authenticator.close();
        } finally {
            closeLayer();
        }
    }

    private void closeLayer() throws IOException {
        try {
            layer.close();
        } finally {
            releaseFormer();
            authenticators.release();
            channels.layer().release();
        }
    }

    private void releaseFormer() {
        InUse<ListenerAuthenticator> before = former;
        if (before != null) {
            former = null;
            before.release();
        }
    }

    private void noteIfReady() {
        if (layer.ready() && authenticator.complete()) {
            principal = authenticator.principal();
            ready = true;
            releaseFormer();
        }
    }
}
