package io.gregor.transport.internal;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Optional;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.SslTransportLayer;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.PlaintextAuthenticationContext;
import org.apache.kafka.common.security.auth.SslAuthenticationContext;

/**
 * Takes the client to be who the channel layer says it is: whoever has the certificate on TLS, anonymous without. Owned by
 * the processor thread of its connection.
 */
public final class ChannelPrincipal implements Authenticator {
    private final TransportLayer layer;
    private final KafkaPrincipalBuilder principals;
    private final String listener;

    /** Names the client of a layer with a principal builder of its own. */
    public ChannelPrincipal(TransportLayer layer, KafkaPrincipalBuilder principals, String listener) {
        this.layer = layer;
        this.principals = principals;
        this.listener = listener;
    }

    @Override
    public void authenticate() {}

    @Override
    public KafkaPrincipal principal() {
        InetAddress client = layer.socketChannel().socket().getInetAddress();
        AuthenticationContext context = layer instanceof SslTransportLayer tls
                ? new SslAuthenticationContext(tls.sslSession(), client, listener)
                : new PlaintextAuthenticationContext(client, listener);
        return principals.build(context);
    }

    @Override
    public Optional<KafkaPrincipalSerde> principalSerde() {
        return Optional.of(principals);
    }

    @Override
    public boolean complete() {
        return true;
    }

    @Override
    public void close() throws IOException {
        if (principals instanceof Closeable closeable) {
            closeable.close();
        }
    }
}
