package io.gregor.plugins.internal;

import java.util.Collection;
import java.util.Objects;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Keeps two contents of one plugin apart while both are installed: neither gets packages from the other, and a singleton does
 * not keep its successor from resolving. Immutable.
 */
final class OwnPackages implements ResolverHookFactory, ResolverHook {
    @Override
    public ResolverHook begin(Collection<BundleRevision> triggers) {
        return this;
    }

    @Override
    public void filterMatches(BundleRequirement requirement, Collection<BundleCapability> candidates) {
        Bundle asks = requirement.getRevision().getBundle();
        if (isPlugin(asks)) {
            candidates.removeIf(
                    offer -> isOtherContent(asks, offer.getRevision().getBundle()));
        }
    }

    private static boolean isOtherContent(Bundle one, Bundle other) {
        return one.getBundleId() != other.getBundleId()
                && Objects.equals(one.getSymbolicName(), other.getSymbolicName());
    }

    private static boolean isPlugin(Bundle bundle) {
        return String.valueOf(bundle.getLocation()).startsWith(Installation.LOCATION);
    }

    @Override
    public void filterSingletonCollisions(BundleCapability singleton, Collection<BundleCapability> collisions) {
        if (isPlugin(singleton.getRevision().getBundle())) {
            collisions.clear();
        } else {
            collisions.removeIf(other -> isPlugin(other.getRevision().getBundle()));
        }
    }

    @Override
    public void filterResolvable(Collection<BundleRevision> candidates) {
        // all may resolve
    }

    @Override
    public void end() {
        // nothing was begun
    }
}
