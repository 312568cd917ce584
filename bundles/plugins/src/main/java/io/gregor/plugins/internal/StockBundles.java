package io.gregor.plugins.internal;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** The bundles of the distribution, and which of them a plugin may stand in front of. Immutable. */
final class StockBundles {
    /** What they hold is kept elsewhere, or is in use until its last connection ends. */
    private static final List<String> REPLACEABLE = List.of("io.gregor.handlers-", "io.gregor.security-");

    private final BundleContext context;

    StockBundles(BundleContext context) {
        this.context = context;
    }

    /**
     * The one with this symbolic name.
     *
     * @throws RefusedJar if it cannot be replaced while the node runs
     */
    Optional<Bundle> find(String name) throws RefusedJar {
        Optional<Bundle> found = Stream.of(context.getBundles())
                .filter(bundle -> name.equals(bundle.getSymbolicName()))
                .filter(bundle -> !String.valueOf(bundle.getLocation()).startsWith(Installation.LOCATION))
                .findFirst();
        if (found.isPresent()) {
            checkReplaceable(name);
        }
        return found;
    }

    static void checkReplaceable(String name) throws RefusedJar {
        if (REPLACEABLE.stream().noneMatch(name::startsWith)) {
            throw new RefusedJar(
                    "the distribution's own " + name + " cannot be replaced while the node runs, only "
                            + String.join("* and ", REPLACEABLE) + "* can",
                    "give the plugin another Bundle-SymbolicName, or put the jar into bundles/ of the distribution and"
                            + " start again");
        }
    }
}
