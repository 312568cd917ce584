package io.gregor.security.sasl.internal;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.network.SslTransportLayer;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.SaslAuthenticationContext;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Shows a principal builder the TLS session under SASL (SASL_SSL), which Kafka's authenticator looks for in the layer that it is
 * given, and that is {@link HeldLayer} here. Owned by whoever has the connection.
 */
public final class TlsPrincipals implements KafkaPrincipalBuilder, Configurable, Closeable {
    private static final String TOLD = "gregor.sasl.told";
    private static final String LAYER = "gregor.sasl.tls.layer";

    private @Nullable KafkaPrincipalBuilder builder;
    private @Nullable SslTransportLayer layer;

    /** Settings with which Kafka's authenticator asks this builder, if there is a session and a builder that may look at it. */
    static Map<String, Object> settings(Map<String, Object> settings, TransportLayer layer) {
        Object named = settings.get(BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG);
        if (!(layer instanceof SslTransportLayer) || named == null || named == DefaultKafkaPrincipalBuilder.class) {
            return settings;
        }
        Map<String, Object> asking = new HashMap<>(settings);
        asking.put(BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG, TlsPrincipals.class);
        asking.put(TOLD, settings);
        asking.put(LAYER, layer);
        return asking;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void configure(Map<String, ?> settings) {
        builder = ChannelBuilders.createPrincipalBuilder((Map<String, ?>) settings.get(TOLD), null, null);
        layer = (SslTransportLayer) settings.get(LAYER);
    }

    private KafkaPrincipalBuilder builder() {
        return Objects.requireNonNull(builder, "configured with the builder's class");
    }

    @Override
    public KafkaPrincipal build(AuthenticationContext context) {
        SaslAuthenticationContext sasl = (SaslAuthenticationContext) context;
        SSLSession session =
                Objects.requireNonNull(layer, "configured with the layer").sslSession();
        return builder()
                .build(new SaslAuthenticationContext(
                        sasl.server(),
                        sasl.securityProtocol(),
                        sasl.clientAddress(),
                        sasl.listenerName(),
                        Optional.of(session)));
    }

    @Override
    public byte[] serialize(KafkaPrincipal principal) {
        return builder().serialize(principal);
    }

    @Override
    public KafkaPrincipal deserialize(byte[] bytes) {
        return builder().deserialize(bytes);
    }

    @Override
    public void close() throws IOException {
        if (builder instanceof Closeable closeable) {
            closeable.close();
        }
    }
}
