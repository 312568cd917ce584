package io.gregor.security.tls.internal;

import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.node.SecretValues;
import java.io.EOFException;
import java.security.UnrecoverableKeyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Words for what is wrong with the stores of one listener: key, value, file and the way out; never a password. Immutable. */
final class StoreFaults {
    private final ListenerSecurity security;

    StoreFaults(ListenerSecurity security) {
        this.security = security;
    }

    /** A fault, with the listener it is of; what Kafka and the JDK say may name a secret. */
    ConfigException of(String fault) {
        String said = SecretValues.of(settings(), key -> false).hiddenIn(fault);
        return new ConfigException(said + " (listener=" + security.listener().value()
                + ", whose own settings begin with " + security.listener().configPrefix() + ")");
    }

    /** A value as it may be shown. */
    @Nullable
    Object value(String key) {
        Object value = security.settings().get(key);
        return value instanceof Password ? Password.HIDDEN : value;
    }

    /** The setting that says where a store is. */
    String store(StoreKind kind) {
        return kind.location(settings()) != null
                ? kind.locationKey() + "=" + kind.location(settings())
                : "the inline " + kind.title();
    }

    /** The private key does not open. */
    ConfigException ofKeyPassword() {
        boolean hasOwn = settings().get(SslConfigs.SSL_KEY_PASSWORD_CONFIG) != null;
        return of(
                hasOwn
                        ? SslConfigs.SSL_KEY_PASSWORD_CONFIG + " does not open the private key in "
                                + store(StoreKind.KEY)
                        : "the private key in " + store(StoreKind.KEY) + " has a password of its own: set "
                                + SslConfigs.SSL_KEY_PASSWORD_CONFIG);
    }

    /** What an engine factory threw when it was configured. */
    ConfigException ofReading(Throwable thrown) {
        List<Throwable> chain = chain(thrown);
        String all = reasons(thrown);
        StoreKind kind = kindOf(all);
        if (kind == null) {
            boolean isOfKey = chain.stream()
                    .anyMatch(one -> one instanceof UnrecoverableKeyException || one instanceof BadPaddingException);
            return isOfKey ? ofKeyPassword() : of(all);
        }
        if (chain.stream().anyMatch(BadPaddingException.class::isInstance) && isPem(kind)) {
            return ofKeyPassword();
        }
        if (chain.stream().anyMatch(UnrecoverableKeyException.class::isInstance)
                || all.contains("password was incorrect")) {
            return of(kind.passwordKey() + " does not open " + store(kind));
        }
        if (all.contains("PBES2")) {
            return of("the private key in " + store(kind) + " is encrypted in a way that Java "
                    + Runtime.version().feature()
                    + " cannot read (PBES2): encrypt it with openssl pkcs8 -topk8 -v1 PBE-SHA1-3DES, or use PKCS12");
        }
        return of(store(kind) + " cannot be read as a " + kind.title() + " of " + kind.typeKey() + "="
                + value(kind.typeKey()) + ": " + lastReason(chain));
    }

    private boolean isPem(StoreKind kind) {
        return "PEM".equals(value(kind.typeKey()));
    }

    private @Nullable StoreKind kindOf(String reasons) {
        for (StoreKind kind : StoreKind.values()) {
            String location = kind.location(settings());
            if (location != null && reasons.contains("SSL keystore " + location)) {
                return kind;
            }
        }
        return null;
    }

    private Map<String, Object> settings() {
        return security.settings();
    }

    /** All that is said of a fault, each once. */
    static String reasons(Throwable thrown) {
        List<String> said = new ArrayList<>();
        for (Throwable one : chain(thrown)) {
            String message = one.getMessage() == null ? one.getClass().getSimpleName() : one.getMessage();
            if (said.stream().noneMatch(before -> before.contains(message))) {
                boolean isOnlyCause =
                        one.getCause() != null && message.equals(one.getCause().toString());
                if (!isOnlyCause) {
                    said.add(message);
                }
            }
        }
        return String.join(": ", said);
    }

    private static String lastReason(List<Throwable> chain) {
        Throwable last = chain.get(chain.size() - 1);
        return last instanceof EOFException
                ? "it ends too early"
                : last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable one = thrown; one != null && chain.size() < 20; one = one.getCause()) {
            chain.add(one);
        }
        return chain;
    }
}
