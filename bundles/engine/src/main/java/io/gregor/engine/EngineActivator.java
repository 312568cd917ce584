package io.gregor.engine;

import java.security.Provider;
import java.security.Security;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/**
 * Immutable. Initialises the classes of Kafka that look others up by the context class loader, while that loader is the
 * right one: under a wrong one their static initialisers fail, and stay failed for the life of the bundle.
 */
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
public final class EngineActivator implements BundleActivator {
    private static final List<String> LOOK_UP_OTHERS = List.of(
            "org.apache.kafka.clients.producer.ProducerConfig",
            "org.apache.kafka.clients.consumer.ConsumerConfig",
            "org.apache.kafka.clients.admin.AdminClientConfig",
            "org.apache.kafka.common.config.internals.BrokerSecurityConfigs",
            "org.apache.kafka.server.config.AbstractKafkaConfig");

    @Override
    public void start(BundleContext context) throws ClassNotFoundException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader engine = EngineActivator.class.getClassLoader();
        thread.setContextClassLoader(engine);
        try {
            // Without this call lz4 does not find its native library from a bundle and runs in plain Java.
            LZ4Factory.nativeInstance();
            for (String name : LOOK_UP_OTHERS) {
                Class.forName(name, true, engine);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Takes out the SASL providers, which would keep this class loader alive behind a newer one. */
    @Override
    public void stop(BundleContext context) {
        for (Provider provider : Security.getProviders()) {
            if (provider.getClass().getClassLoader() == EngineActivator.class.getClassLoader()) {
                Security.removeProvider(provider.getName());
            }
        }
    }
}
