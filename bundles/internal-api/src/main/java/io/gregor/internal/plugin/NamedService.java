package io.gregor.internal.plugin;

import org.apache.kafka.common.Configurable;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.osgi.framework.ServiceReference;

/**
 * A key whose value names a class, as Kafka has it, while all who use the class know services only: {@code plugins} makes the
 * instance and registers it with the property {@link #KEY}. Immutable.
 *
 * @param key as {@code authorizer.class.name}
 * @param className its value; empty if it has none
 */
public record NamedService(String key, String className) {
    /** Service property: the key that names the class; a service without it comes from a bundle of its own accord. */
    public static final String KEY = "gregor.config.key";

    /** What a configuration says about a key. */
    public static NamedService of(AbstractKafkaConfig config, String key) {
        Object value = config.values().get(key);
        if (value instanceof Class<?> named) {
            return new NamedService(key, named.getName());
        }
        return new NamedService(key, value == null ? "" : String.valueOf(value).strip());
    }

    /** Whether a class is named: without a service there is something missing. */
    public boolean isConfigured() {
        return !className.isEmpty();
    }

    /**
     * Gives a service that came from a bundle of its own accord the node's values, as Kafka does with the classes that it
     * makes; one that was made for a key has them.
     *
     * @throws RuntimeException what the service throws
     */
    public static void configure(ServiceReference<?> reference, Configurable service, AbstractKafkaConfig config) {
        if (reference.getProperty(KEY) == null) {
            service.configure(config.originals());
        }
    }

    @Override
    public String toString() {
        return key + "=" + className;
    }
}
