package io.gregor.internal.plugin;

/**
 * A latch: the bundles that were in {@code deploy/} when the node started are started, as far as they can be. Doors open
 * after it, so that no request ever passes by a filter or an authorizer that is still on its way. A service of
 * {@code plugins}; it stays until the node stops.
 */
public interface PluginsStarted {}
