package io.gregor.plugins.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service objects of plugins, held while these count: so their components are activated when they come, not with the first
 * request. Each plugin holds its own: what goes wrong with them is its fault then, for the framework too. Owned by the
 * deployer thread.
 */
final class HeldServices {
    private static final Logger LOGGER = LoggerFactory.getLogger(HeldServices.class);

    private final PluginCalls calls;
    private final Map<Long, Holding> byBundle = new HashMap<>();

    HeldServices(PluginCalls calls) {
        this.calls = calls;
    }

    /** What a plugin holds by its context. */
    private record Holding(BundleContext context, Set<ServiceReference<?>> services) {}

    /**
     * Gets all services of a bundle that are not held yet; returns the first that has no object.
     *
     * @throws PluginCalls.Stuck if the making of one does not end
     */
    Optional<ServiceReference<?>> hold(Bundle bundle) throws PluginCalls.Stuck {
        ServiceReference<?>[] references = bundle.getRegisteredServices();
        BundleContext context = bundle.getBundleContext();
        if (references == null || context == null) {
            return Optional.empty();
        }
        Holding holding = byBundle.get(bundle.getBundleId());
        if (holding == null || holding.context() != context) {
            holding = new Holding(context, new HashSet<>());
            byBundle.put(bundle.getBundleId(), holding);
        }
        Set<ServiceReference<?>> held = holding.services();
        held.removeIf(reference -> reference.getBundle() == null);
        for (ServiceReference<?> reference : references) {
            if (!held.contains(reference)) {
                if (!isThere(bundle, context, reference)) {
                    return Optional.of(reference);
                }
                held.add(reference);
            }
        }
        return Optional.empty();
    }

    private boolean isThere(Bundle bundle, BundleContext context, ServiceReference<?> reference)
            throws PluginCalls.Stuck {
        try {
            return calls.call(
                    bundle.getSymbolicName(),
                    "the activation of " + reference.getProperty("component.name"),
                    () -> context.getService(reference) != null);
        } catch (BundleException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Gives them back, which deactivates their components; a bundle that was stopped meanwhile has given back its own. */
    void release(PluginBundle plugin) {
        Holding holding = byBundle.remove(plugin.bundleId());
        if (holding == null) {
            return;
        }
        try {
            calls.call(plugin.name(), "its deactivation", () -> {
                holding.services().forEach(holding.context()::ungetService);
                return holding;
            });
        } catch (BundleException | IllegalStateException stopped) {
            LOGGER.debug("services were given back by the stop of their bundle: plugin={}", plugin, stopped);
        } catch (PluginCalls.Stuck stuck) {
            LOGGER.warn("services are not given back: plugin={} reason={}", plugin, stuck.reason());
        }
    }
}
