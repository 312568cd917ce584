package io.gregor.security.tls.internal;

import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shows stores that have been read to Kafka's {@code SslFactory}, which knows whether they may take the place of others; so
 * they are read once, and live on until nobody makes engines of them any more. Owned by the thread of the stores.
 */
public final class LoadedEngines implements SslEngineFactory {
    private static final String STORES = "io.gregor.security.tls.stores";

    private @Nullable Stores stores;

    /** What {@code SslFactory} is told. A map of its own: it writes into it. */
    static Map<String, Object> settings(Stores stores) {
        Map<String, Object> settings = new HashMap<>(stores.settings());
        settings.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, LoadedEngines.class);
        settings.put(STORES, stores);
        return settings;
    }

    @Override
    public void configure(Map<String, ?> settings) {
        stores = (Stores) settings.get(STORES);
    }

    private SslEngineFactory engines() {
        return Objects.requireNonNull(stores, "not configured").engines();
    }

    @Override
    public SSLEngine createClientSslEngine(String host, int port, String endpointIdentification) {
        return engines().createClientSslEngine(host, port, endpointIdentification);
    }

    @Override
    public SSLEngine createServerSslEngine(String host, int port) {
        return engines().createServerSslEngine(host, port);
    }

    @Override
    public boolean shouldBeRebuilt(Map<String, Object> settings) {
        return settings.get(STORES) != stores;
    }

    /** What {@code SslFactory} passes on of new settings. */
    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of(
                STORES,
                BrokerSecurityConfigs.SSL_ALLOW_DN_CHANGES_CONFIG,
                BrokerSecurityConfigs.SSL_ALLOW_SAN_CHANGES_CONFIG);
    }

    @Override
    public @Nullable KeyStore keystore() {
        return engines().keystore();
    }

    @Override
    public @Nullable KeyStore truststore() {
        return engines().truststore();
    }

    /** Connections may still be made of them. */
    @Override
    public void close() {}
}
