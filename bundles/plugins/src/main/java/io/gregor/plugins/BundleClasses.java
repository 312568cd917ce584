package io.gregor.plugins;

import io.gregor.internal.plugin.PluginClasses;
import io.gregor.plugins.internal.BundleClassLoader;
import java.time.Duration;
import java.util.List;
import org.osgi.framework.Bundle;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Finds the classes of plugins for those who have a name only. Shared: any thread; see {@code loader}.
 *
 * <p>The virtual machine remembers what a loader has found by a name, for good. So there is another loader as soon as the
 * bundles are others, else a replaced class would be the old one for ever.
 */
@Component
public final class BundleClasses implements PluginClasses {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final DeployedBundles deployed;
    private volatile boolean isTaken;
    private volatile Known known = new Known(List.of(), new BundleClassLoader(List::of));

    /** Looks for classes in these bundles. */
    @Activate
    public BundleClasses(@Reference DeployedBundles deployed) {
        this.deployed = deployed;
    }

    /** The first call waits for the jars that are there when the node starts. */
    @Override
    public ClassLoader loader() {
        if (!isTaken) {
            deployed.awaitTaken(LIMIT);
            isTaken = true;
        }
        List<Bundle> now = deployed.newestFirst();
        Known last = known;
        if (last.bundles() != now) {
            last = new Known(now, new BundleClassLoader(deployed::newestFirst));
            known = last;
        }
        return last.loader();
    }

    /** The loader that was made when these bundles were there. Immutable. */
    private record Known(List<Bundle> bundles, ClassLoader loader) {}
}
