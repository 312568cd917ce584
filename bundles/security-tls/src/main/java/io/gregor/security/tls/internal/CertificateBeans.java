package io.gregor.security.tls.internal;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Sanitizer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MBeans {@code io.gregor:type=Certificates}: one for each store of a listener, as far as {@code metrics.jmx.include} and
 * {@code metrics.jmx.exclude} let them. Owned by the thread of the stores.
 */
final class CertificateBeans {
    private static final Logger LOGGER = LoggerFactory.getLogger(CertificateBeans.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Time time;
    private final Predicate<String> isShown;
    private final Map<String, TlsLayer> shown = new HashMap<>();

    CertificateBeans(Time time, Predicate<String> isShown) {
        this.time = time;
        this.isShown = isShown;
    }

    /** Has one for each store of these layers. */
    void show(Collection<TlsLayer> layers) {
        Set<String> wanted = new HashSet<>();
        for (TlsLayer layer : layers) {
            for (StoreKind kind : StoreKind.values()) {
                String name = name(layer, kind);
                if (!layer.stores().of(kind).isEmpty() && isShown.test(name)) {
                    wanted.add(name);
                    add(name, layer, kind);
                }
            }
        }
        for (String name : Set.copyOf(shown.keySet())) {
            if (!wanted.contains(name)) {
                remove(name);
            }
        }
    }

    void close() {
        Set.copyOf(shown.keySet()).forEach(this::remove);
    }

    private static String name(TlsLayer layer, StoreKind kind) {
        return "io.gregor:type=Certificates,listener=" + Sanitizer.jmxSanitize(layer.listener()) + ",store="
                + kind.tag();
    }

    private void add(String name, TlsLayer layer, StoreKind kind) {
        if (shown.get(name) == layer) {
            return;
        }
        try {
            takeBack(name, true);
            server.registerMBean(new CertificateBean(time, layer, kind), new ObjectName(name));
            shown.put(name, layer);
        } catch (JMException e) {
            LOGGER.warn("MBean could not be registered: name={}", name, e);
        }
    }

    private void remove(String name) {
        shown.remove(name);
        try {
            takeBack(name, false);
        } catch (JMException e) {
            LOGGER.warn("MBean could not be removed: name={}", name, e);
        }
    }

    /** One of another bundle stays, which has taken the place of this one, unless {@code isAnyones}. */
    private void takeBack(String name, boolean isAnyones) throws JMException {
        ObjectName object = new ObjectName(name);
        try {
            if (server.isRegistered(object) && (isAnyones || isOwn(object))) {
                server.unregisterMBean(object);
            }
        } catch (InstanceNotFoundException gone) {
            LOGGER.debug("MBean was gone already: name={}", name);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isOwn(ObjectName object) throws InstanceNotFoundException {
        return server.getClassLoaderFor(object) == CertificateBean.class.getClassLoader();
    }
}
