package io.gregor.internal.plugin;

/**
 * Knows what lives on with the classes of a bundle after others have taken its place: connections with the state of a security
 * protocol. A service, any number; it is not stopped before all of them say 0. Shared: any thread; nothing here waits.
 */
public interface BundleUse {
    /** How many things of a bundle are in use; 0 if it can be stopped without harm. */
    long inUse(long bundleId);
}
