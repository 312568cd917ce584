package io.gregor.internal.plugin;

/**
 * Where classes that configuration names are found: in Kafka's libraries first, then in the bundles of {@code deploy/}, the
 * newest of a name first. A service of {@code plugins}, there before the configuration is read. Shared: any thread.
 */
public interface PluginClasses {
    /**
     * A loader that looks there at each call; never null. As context class loader it lets Kafka's configuration parser find
     * the classes of plugins.
     */
    ClassLoader loader();
}
