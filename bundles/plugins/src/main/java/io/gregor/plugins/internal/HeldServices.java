package io.gregor.plugins.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
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

    private final Map<Long, Holding> byBundle = new HashMap<>();

    /** What a plugin holds by its context. */
    private record Holding(BundleContext context, Set<ServiceReference<?>> services) {}

    /** Gets all services of a bundle that are not held yet; returns the first that has no object. */
    Optional<ServiceReference<?>> hold(Bundle bundle) {
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
                if (context.getService(reference) == null) {
                    return Optional.of(reference);
                }
                held.add(reference);
            }
        }
        return Optional.empty();
    }

    /** Gives them back; a bundle that was stopped meanwhile has given back its own. */
    void release(long bundleId) {
        Holding holding = byBundle.remove(bundleId);
        if (holding != null) {
            try {
                holding.services().forEach(holding.context()::ungetService);
            } catch (IllegalStateException stopped) {
                LOGGER.debug("services were given back by the stop of their bundle: bundle={}", bundleId, stopped);
            }
        }
    }
}
