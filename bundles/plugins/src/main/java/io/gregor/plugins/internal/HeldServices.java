package io.gregor.plugins.internal;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/**
 * The service objects of plugins, held while these count: so their components are activated when they come, not with the first
 * request. Owned by the deployer thread.
 */
final class HeldServices {
    private final BundleContext context;
    private final Map<Long, Set<ServiceReference<?>>> byBundle = new HashMap<>();

    HeldServices(BundleContext context) {
        this.context = context;
    }

    /** Gets all services of a bundle that are not held yet; returns the first that has no object. */
    Optional<ServiceReference<?>> hold(Bundle bundle) {
        ServiceReference<?>[] references = bundle.getRegisteredServices();
        if (references == null) {
            return Optional.empty();
        }
        Set<ServiceReference<?>> held = byBundle.computeIfAbsent(bundle.getBundleId(), id -> new HashSet<>());
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

    /** Gives them back. */
    void release(long bundleId) {
        Set<ServiceReference<?>> held = byBundle.remove(bundleId);
        if (held != null) {
            held.forEach(context::ungetService);
        }
    }
}
