package io.gregor.security.tls.internal;

import io.gregor.api.security.ListenerSecurity;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.KeyStoreException;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stores of one listener with Kafka's engine factory or a plugin's, and says in the words of the configuration what
 * is wrong with them. Immutable; blocks for I/O.
 */
final class StoreReading {
    private final ListenerSecurity security;
    private final StoreFaults faults;

    StoreReading(ListenerSecurity security) {
        this.security = security;
        this.faults = new StoreFaults(security);
    }

    /**
     * Reads them.
     *
     * @throws ConfigException if they cannot be used; without any password in it
     */
    Stores read(long nowMs) {
        Map<String, Object> settings = new HashMap<>(security.settings());
        StoreStamp stamp = StoreStamp.of(settings);
        SslEngineFactory engines = factory(settings);
        boolean isOwn = !(engines instanceof DefaultSslEngineFactory);
        if (!isOwn) {
            checkFiles(settings);
        }
        try {
            engines.configure(settings);
        } catch (RuntimeException e) {
            throw faults.ofReading(e);
        }
        try {
            if (!isOwn) {
                checkKeys(engines);
            }
            tryEngine(engines);
            return new Stores(Map.copyOf(withoutNulls(settings)), engines, StoredCertificate.of(engines), stamp, nowMs);
        } catch (KeyStoreException | RuntimeException e) {
            Utils.closeQuietly(engines, "stores that are not used");
            throw e instanceof ConfigException refused ? refused : faults.ofReading(e);
        }
    }

    private static Map<String, Object> withoutNulls(Map<String, Object> settings) {
        Map<String, Object> values = new HashMap<>(settings);
        values.values().removeIf(value -> value == null);
        return values;
    }

    private SslEngineFactory factory(Map<String, Object> settings) {
        Object named = settings.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG);
        if (named == null) {
            return new DefaultSslEngineFactory();
        }
        if (!(named instanceof Class<?> type) || !SslEngineFactory.class.isAssignableFrom(type)) {
            throw faults.of(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG + "=" + named
                    + " must be a class that implements " + SslEngineFactory.class.getName());
        }
        try {
            return (SslEngineFactory) Utils.newInstance(type);
        } catch (RuntimeException | LinkageError e) {
            throw faults.of(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG + "=" + type.getName() + " cannot be made: "
                    + StoreFaults.reasons(e));
        }
    }

    private void checkFiles(Map<String, Object> settings) {
        for (StoreKind kind : StoreKind.values()) {
            String location = kind.location(settings);
            if (location != null) {
                checkFile(kind.locationKey() + "=" + location, location);
            }
        }
        if (StoreKind.KEY.location(settings) == null
                && settings.get(SslConfigs.SSL_KEYSTORE_KEY_CONFIG) == null
                && settings.get(SslConfigs.SSL_KEYSTORE_CERTIFICATE_CHAIN_CONFIG) == null
                && settings.get(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG) == null
                && isKeyManagerOfJdk(settings)) {
            throw faults.of("there is no key store: set ssl.keystore.location and ssl.keystore.password, or"
                    + " ssl.keystore.type=PEM with ssl.keystore.key and ssl.keystore.certificate.chain");
        }
    }

    /** Others may have keys from elsewhere. */
    private static boolean isKeyManagerOfJdk(Map<String, Object> settings) {
        Object algorithm = settings.get(SslConfigs.SSL_KEYMANAGER_ALGORITHM_CONFIG);
        return algorithm == null || algorithm.equals(KeyManagerFactory.getDefaultAlgorithm());
    }

    private void checkFile(String setting, String location) {
        Path file;
        try {
            file = Path.of(location);
        } catch (InvalidPathException e) {
            throw faults.of(setting + " is no path: " + e.getReason());
        }
        if (!Files.exists(file)) {
            throw faults.of(setting + " does not exist" + inWorkingDirectory(file));
        }
        if (Files.isDirectory(file)) {
            throw faults.of(setting + " is a directory, must be a file");
        }
        if (!Files.isReadable(file)) {
            throw faults.of(setting + " must be readable for the user that runs the node");
        }
    }

    private static String inWorkingDirectory(Path file) {
        return file.isAbsolute() ? "" : ": it is looked for at " + file.toAbsolutePath();
    }

    private void checkKeys(SslEngineFactory engines) {
        if (engines.keystore() != null) {
            new KeyPairs(security.settings(), faults).check(engines.keystore());
        }
    }

    /** Wrong protocols and cipher suites show when an engine is made. */
    private void tryEngine(SslEngineFactory engines) {
        @Nullable SSLEngine engine;
        try {
            engine = engines.createServerSslEngine("", 0);
        } catch (IllegalArgumentException e) {
            throw faults.of(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG + "="
                    + faults.value(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG) + " "
                    + SslConfigs.SSL_CIPHER_SUITES_CONFIG + "=" + faults.value(SslConfigs.SSL_CIPHER_SUITES_CONFIG)
                    + " cannot be used: " + e.getMessage());
        }
        if (engine == null) {
            throw faults.of(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG + " makes no engines");
        }
    }
}
