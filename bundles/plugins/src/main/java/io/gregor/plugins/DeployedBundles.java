package io.gregor.plugins;

import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.service.component.annotations.Component;

/**
 * Shared: any thread; see {@code newestFirst}. The bundles that the deployer has installed, for those of this bundle that look
 * for classes in them. Written by the deployer thread only.
 */
@Component(service = DeployedBundles.class)
public final class DeployedBundles {
    private volatile List<Bundle> newestFirst = List.of();

    /** Those of {@code deploy/} and on trial, started or not, the last dropped first. */
    public List<Bundle> newestFirst() {
        return newestFirst;
    }

    void replace(List<Bundle> bundles) {
        newestFirst = List.copyOf(bundles);
    }
}
