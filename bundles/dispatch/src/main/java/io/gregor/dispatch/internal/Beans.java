package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import javax.management.DynamicMBean;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.metrics.JmxReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MBeans that come one by one and go together, as far as {@code metrics.jmx.include} and {@code metrics.jmx.exclude} let
 * them. Shared: any thread.
 */
public final class Beans implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Beans.class);

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Predicate<String> isShown;

    @GuardedBy("this")
    private final Map<String, ObjectName> registered = new HashMap<>();

    @GuardedBy("this")
    private boolean closed;

    /** None yet. */
    public Beans(AbstractConfig config) {
        this.isShown = JmxReporter.compilePredicate(config.originals());
    }

    /** Whether there is one of this name. */
    synchronized boolean has(String name) {
        return registered.containsKey(name);
    }

    /** Registers one; in the place of one that an earlier node left behind. After {@link #close} nothing happens. */
    synchronized void add(String name, DynamicMBean bean) {
        if (closed || registered.containsKey(name)) {
            return;
        }
        try {
            ObjectName object = new ObjectName(name);
            registered.put(name, object);
            if (isShown.test(name)) {
                remove(object);
                server.registerMBean(bean, object);
            }
        } catch (JMException e) {
            LOGGER.warn("MBean could not be registered: name={}", name, e);
        }
    }

    /** Takes one back. */
    synchronized void remove(String name) {
        ObjectName object = registered.remove(name);
        if (object != null) {
            takeBack(object);
        }
    }

    /** Takes them all back. */
    @Override
    public synchronized void close() {
        closed = true;
        registered.values().forEach(this::takeBack);
        registered.clear();
    }

    private void takeBack(ObjectName object) {
        try {
            remove(object);
        } catch (JMException e) {
            LOGGER.warn("MBean could not be removed: name={}", object, e);
        }
    }

    private void remove(ObjectName object) throws JMException {
        if (server.isRegistered(object)) {
            try {
                server.unregisterMBean(object);
            } catch (InstanceNotFoundException gone) {
                LOGGER.debug("MBean was gone already: name={}", object);
            }
        }
    }
}
