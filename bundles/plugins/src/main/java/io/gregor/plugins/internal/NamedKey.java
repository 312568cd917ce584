package io.gregor.plugins.internal;

import io.gregor.internal.plugin.NamedService;
import java.util.Map;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A class that configuration names, and its instance, which is replaced as soon as a newer bundle has the class, and gone when
 * no bundle has it any more. Owned by {@code NamedServices}.
 *
 * @param <T> the interface
 */
public final class NamedKey<T extends Configurable> {
    private static final Logger LOGGER = LoggerFactory.getLogger(NamedKey.class);

    private final NamedService named;
    private final Class<T> type;
    private final Map<String, ?> values;
    private final boolean isClosedByItsUser;
    private @Nullable NamedInstance<T> current;

    /**
     * Not made yet.
     *
     * @param values what it is configured with
     * @param isClosedByItsUser whether those who use the service close it when it leaves, as Kafka's metrics do
     */
    public NamedKey(NamedService named, Class<T> type, Map<String, ?> values, boolean isClosedByItsUser) {
        this.named = named;
        this.type = type;
        this.values = values;
        this.isClosedByItsUser = isClosedByItsUser;
    }

    /**
     * Makes the instance; it is no service yet.
     *
     * @throws ConfigException if it cannot be made, with key, value, and reason
     */
    public void make(ClassLoader loader) {
        current = NamedInstance.make(named, type, values, loader);
    }

    /** The instance becomes a service. */
    public void register(BundleContext context) {
        if (current != null) {
            current.register(context);
        }
    }

    /** Other bundles may count now: the new instance is a service before the former is none any more. */
    public void look(BundleContext context, ClassLoader loader) {
        NamedInstance<T> former = current;
        Class<?> found = NamedInstance.find(named, loader);
        if (former != null && former.isOf(found)) {
            return;
        }
        if (found == null) {
            if (former != null) {
                LOGGER.warn("the class of a key is gone with its bundle: {}; put its jar back into deploy/", named);
                close();
            }
            return;
        }
        try {
            NamedInstance<T> next = NamedInstance.make(named, type, values, loader);
            next.register(context);
            current = next;
            LOGGER.info("the class of a key comes from another bundle now: {}", named);
        } catch (ConfigException refused) {
            LOGGER.error("the former instance stays: {}", refused.getMessage());
            return;
        }
        if (former != null) {
            end(former);
        }
    }

    /** It is no service any more, and closed. */
    public void close() {
        NamedInstance<T> ending = current;
        current = null;
        if (ending != null) {
            end(ending);
        }
    }

    /** Closes an instance that never became a service. */
    public void discard() {
        NamedInstance<T> ending = current;
        current = null;
        if (ending != null) {
            ending.close();
        }
    }

    private void end(NamedInstance<T> ending) {
        ending.unregister();
        if (!isClosedByItsUser) {
            ending.close();
        }
    }
}
