package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.Standing;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** How bundles stand. Shared: any thread; whoever replaces them has the registries rebuild. */
final class Standings {
    private volatile Map<Long, Standing> byBundle = Map.of();

    void replace(Map<Long, Standing> standings) {
        byBundle = Map.copyOf(standings);
    }

    /** How the bundle of this number stands. */
    Standing of(long bundleId) {
        return byBundle.getOrDefault(bundleId, Standing.LIVE);
    }

    /** How the bundle of a service stands. */
    Standing of(ServiceReference<?> service) {
        Bundle bundle = service.getBundle();
        return bundle == null ? Standing.LIVE : of(bundle.getBundleId());
    }
}
