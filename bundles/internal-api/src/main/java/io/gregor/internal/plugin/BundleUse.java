package io.gregor.internal.plugin;

import java.util.Map;

/**
 * Knows what lives on with the classes of a bundle after others have taken its place: connections with the state of a security
 * protocol. A service, any number; it is not stopped before all of them say 0. Shared: any thread.
 */
public interface BundleUse {
    /** How many things of a bundle are in use; 0 if it can be stopped without harm. */
    long inUse(long bundleId);

    /**
     * How bundles stand from now on: what is not {@link Standing#isUsed} gets nothing new while another one offers the same. Told
     * before what lives on such a bundle is counted. Deployer thread.
     *
     * @param standings of those that are not {@link Standing#LIVE}, by bundle id
     */
    void stand(Map<Long, Standing> standings);
}
