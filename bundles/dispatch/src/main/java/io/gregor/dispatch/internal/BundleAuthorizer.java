package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.Standing;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/**
 * A started authorizer and where it comes from. Immutable.
 *
 * @param bundleId -1 if its service has left already
 */
record BundleAuthorizer(
        ServiceReference<Authorizer> reference, StartedAuthorizer started, long bundleId, String symbolicName) {
    static BundleAuthorizer of(ServiceReference<Authorizer> reference, StartedAuthorizer started) {
        Bundle bundle = reference.getBundle();
        return bundle == null
                ? new BundleAuthorizer(reference, started, -1, "")
                : new BundleAuthorizer(
                        reference,
                        started,
                        bundle.getBundleId(),
                        Objects.requireNonNullElse(bundle.getSymbolicName(), ""));
    }

    /** Whether it may decide, as its bundle stands. */
    boolean counts(Map<Long, Standing> standings) {
        return standings.getOrDefault(bundleId, Standing.LIVE).kind() == Standing.Kind.LIVE;
    }
}
