package io.gregor.security.tls.internal;

import java.security.KeyStore;
import java.util.Map;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.jspecify.annotations.Nullable;

/** The two stores of a listener, with Kafka's keys for each. */
enum StoreKind {
    /** What the listener shows to clients. */
    KEY("key", "key store", "ssl.keystore.", SslConfigs.SSL_KEYSTORE_KEY_CONFIG) {
        @Override
        @Nullable
        KeyStore of(SslEngineFactory engines) {
            return engines.keystore();
        }
    },

    /** Whom it trusts. */
    TRUST("trust", "trust store", "ssl.truststore.", SslConfigs.SSL_TRUSTSTORE_CERTIFICATES_CONFIG) {
        @Override
        @Nullable
        KeyStore of(SslEngineFactory engines) {
            return engines.truststore();
        }
    };

    private final String tag;
    private final String title;
    private final String prefix;
    private final String inlineKey;

    StoreKind(String tag, String title, String prefix, String inlineKey) {
        this.tag = tag;
        this.title = title;
        this.prefix = prefix;
        this.inlineKey = inlineKey;
    }

    /** The store that an engine factory has read, if it has one. */
    abstract @Nullable KeyStore of(SslEngineFactory engines);

    /** In names of MBeans. */
    String tag() {
        return tag;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** {@code ssl.keystore.location} of a key store. */
    String locationKey() {
        return prefix + "location";
    }

    /** {@code ssl.keystore.password}. */
    String passwordKey() {
        return prefix + "password";
    }

    /** {@code ssl.keystore.type}. */
    String typeKey() {
        return prefix + "type";
    }

    /** The file, or null if there is none. */
    @Nullable
    String location(Map<String, ?> settings) {
        return (String) settings.get(locationKey());
    }

    /** Where it comes from, for people: a file or {@code inline}. */
    String source(Map<String, ?> settings) {
        String file = location(settings);
        return file != null ? file : settings.get(inlineKey) != null ? "inline" : "-";
    }
}
