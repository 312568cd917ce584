package io.gregor.plugins.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.plugin.NamedService;
import java.util.Map;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/**
 * The instance of a class that a key names, made and given its values, and a service from {@link #register} to
 * {@link #unregister}. Owned by {@code NamedServices}.
 *
 * @param <T> the interface
 */
final class NamedInstance<T extends Configurable> {
    private final NamedService named;
    private final Class<T> type;
    private final T instance;
    private @Nullable ServiceRegistration<T> registration;

    private NamedInstance(NamedService named, Class<T> type, T instance) {
        this.named = named;
        this.type = type;
        this.instance = instance;
    }

    /**
     * Finds the class, makes an instance, and configures it, all under the loader.
     *
     * @throws ConfigException with key, value, and the reason
     */
    static <T extends Configurable> NamedInstance<T> make(
            NamedService named, Class<T> type, Map<String, ?> values, ClassLoader loader) {
        Class<?> found = find(named, loader);
        if (found == null) {
            throw new ConfigException(named + " is neither a class of Kafka's libraries nor of a bundle in deploy/");
        }
        if (!type.isAssignableFrom(found)) {
            throw new ConfigException(named + " must implement " + type.getName());
        }
        try {
            T made = EngineThread.call(loader, () -> {
                T instance = type.cast(Utils.newInstance(found));
                instance.configure(values);
                return instance;
            });
            return new NamedInstance<>(named, type, made);
        } catch (RuntimeException | LinkageError fault) {
            ConfigException refused = new ConfigException(named + " cannot be used: " + reason(fault));
            refused.initCause(fault);
            throw refused;
        }
    }

    /** The class that is meant; null if it is nowhere. */
    static @Nullable Class<?> find(NamedService named, ClassLoader loader) {
        try {
            return Class.forName(named.className(), false, loader);
        } catch (ClassNotFoundException | LinkageError nowhere) {
            return null;
        }
    }

    private static String reason(Throwable fault) {
        Throwable root = fault;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }

    boolean isOf(@Nullable Class<?> other) {
        return instance.getClass() == other;
    }

    void register(BundleContext context) {
        registration = context.registerService(
                type, instance, FrameworkUtil.asDictionary(Map.of(NamedService.KEY, named.key())));
    }

    /** Returns when nobody uses it any more, as far as those wait who use it. */
    void unregister() {
        ServiceRegistration<T> registered = registration;
        registration = null;
        if (registered != null) {
            registered.unregister();
        }
    }

    /** Ends an instance that is no service any more, or never was. */
    void close() {
        if (instance instanceof AutoCloseable closing) {
            Utils.closeQuietly(closing, named.toString());
        }
    }
}
