package io.gregor.transport.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.security.auth.AuthenticationContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Asks the principal builder of a bundle. Kafka makes builders of a class, one for each connection, and configures them: so
 * the service comes with the settings. Owned by the processor thread of its connection.
 */
public final class ServicePrincipals implements KafkaPrincipalBuilder, Configurable {
    private static final String SERVICE = "gregor.principal.builder.service";

    private @Nullable KafkaPrincipalBuilder service;

    /** Settings of a listener with which Kafka's authenticators ask this builder. */
    static Map<String, Object> settings(Map<String, Object> settings, KafkaPrincipalBuilder service) {
        Map<String, Object> asking = new HashMap<>(settings);
        asking.put(BrokerSecurityConfigs.PRINCIPAL_BUILDER_CLASS_CONFIG, ServicePrincipals.class);
        asking.put(SERVICE, service);
        return asking;
    }

    @Override
    public void configure(Map<String, ?> settings) {
        service = (KafkaPrincipalBuilder) settings.get(SERVICE);
    }

    private KafkaPrincipalBuilder service() {
        return Objects.requireNonNull(service, "configured with the service");
    }

    @Override
    public KafkaPrincipal build(AuthenticationContext context) {
        return service().build(context);
    }

    @Override
    public byte[] serialize(KafkaPrincipal principal) {
        return service().serialize(principal);
    }

    @Override
    public KafkaPrincipal deserialize(byte[] bytes) {
        return service().deserialize(bytes);
    }
}
