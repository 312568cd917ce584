package io.gregor.security.sasl.internal;

import io.gregor.api.security.SecuredConnection;
import io.gregor.internal.security.SaslAuthentication;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.ReauthenticationContext;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.protocol.types.SchemaException;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.authenticator.SaslServerAuthenticator;
import org.jspecify.annotations.Nullable;

/**
 * The authentication of one connection: frames are read and answers are sent here, what is between them Kafka's authenticator
 * does aside, since it may ask a directory of users or look up a name. Owned by the processor thread of the connection.
 *
 * <pre>
 *  reading a frame ──▶ step aside ──▶ sending the answer ──▶ reading …
 *                                            │
 *                                            └──▶ complete, or failed
 * </pre>
 */
final class SaslConnection implements Authenticator, SaslAuthentication {
    private final SecuredConnection connection;
    private final TransportLayer layer;
    private final HeldLayer held;
    private final TokenFrames frames;
    private final SaslServerAuthenticator kafkas;
    private boolean isComplete;
    private @Nullable KafkaPrincipal principal;
    private @Nullable Throwable fault;

    /** What Kafka's authenticator is to do. */
    private interface Step {
        void take() throws IOException;
    }

    /** What makes Kafka's authenticator above a layer. */
    interface Making {
        SaslServerAuthenticator above(TransportLayer layer);
    }

    SaslConnection(SecuredConnection connection, TransportLayer layer, int maxFrameBytes, Making making) {
        this.connection = connection;
        this.layer = layer;
        this.held = new HeldLayer(layer);
        this.frames = new TokenFrames(maxFrameBytes);
        this.kafkas = making.above(held);
    }

    @Override
    public SaslServerAuthenticator kafkas() {
        return kafkas;
    }

    @Override
    public void authenticate() throws IOException {
        if (!held.flush()) {
            return;
        }
        if (fault != null) {
            throwFault(fault);
        }
        if (principal != null) {
            isComplete = true;
            return;
        }
        ByteBuffer frame = frames.read(layer);
        if (frame != null) {
            held.hold(frame);
            aside(kafkas::authenticate);
        }
    }

    @Override
    public void reauthenticate(ReauthenticationContext again) {
        if (!(again.previousAuthenticator() instanceof SaslAuthentication former)) {
            throw new IllegalSaslStateException(
                    "a client that was authenticated in another way cannot do so again with SASL");
        }
        ReauthenticationContext kafkasAgain = new ReauthenticationContext(
                former.kafkas(), again.networkReceive(), again.reauthenticationBeginNanos());
        aside(() -> kafkas.reauthenticate(kafkasAgain));
    }

    private void aside(Step step) {
        connection.aside(() -> {
            try {
                step.take();
                if (kafkas.complete()) {
                    principal = kafkas.principal(); // its builder may take time, too
                }
            } catch (IOException | RuntimeException | Error e) {
                fault = e;
            }
        });
    }

    /** Bytes that no client would send are that client's affair, and so is the connection. */
    private static void throwFault(Throwable fault) throws IOException {
        if (fault instanceof AuthenticationException refused) {
            throw refused;
        }
        if (fault instanceof ApiException || fault instanceof SchemaException) {
            throw new IOException("bad request before authentication: " + fault.getMessage(), fault);
        }
        if (fault instanceof IOException broken) {
            throw broken;
        }
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    @Override
    public void handleAuthenticationFailure() throws IOException {
        kafkas.handleAuthenticationFailure();
        held.flush();
    }

    @Override
    public KafkaPrincipal principal() {
        KafkaPrincipal known = principal;
        if (!isComplete || known == null) {
            throw new IllegalStateException("not authenticated yet: connection=" + connection.id());
        }
        return known;
    }

    @Override
    public Optional<KafkaPrincipalSerde> principalSerde() {
        return kafkas.principalSerde();
    }

    @Override
    public boolean complete() {
        return isComplete;
    }

    @Override
    public @Nullable Long serverSessionExpirationTimeNanos() {
        return isComplete ? kafkas.serverSessionExpirationTimeNanos() : null;
    }

    @Override
    public @Nullable Long reauthenticationLatencyMs() {
        return isComplete ? kafkas.reauthenticationLatencyMs() : null;
    }

    @Override
    public boolean connectedClientSupportsReauthentication() {
        return kafkas.connectedClientSupportsReauthentication();
    }

    @Override
    public void close() throws IOException {
        kafkas.close();
    }
}
