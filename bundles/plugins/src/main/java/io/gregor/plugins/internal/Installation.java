package io.gregor.plugins.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Installs, starts, stops and uninstalls the bundles of plugins. Owned by the deployer thread. */
final class Installation {
    /** What the locations of plugins begin with. */
    static final String LOCATION = "plugin:";

    /** When the node stops: after all doors are closed, before dispatch goes. */
    private static final int START_LEVEL = 45;

    private static final Logger LOGGER = LoggerFactory.getLogger(Installation.class);

    private final BundleContext context;
    private final PluginCalls calls;
    private final Unresolved unresolved;
    private long count;

    Installation(BundleContext context, PluginCalls calls) {
        this.context = context;
        this.calls = calls;
        this.unresolved = new Unresolved(context);
    }

    /** Installs a jar beside all that is installed; the copy is deleted. */
    void install(PluginBundle plugin, Path copy) throws RefusedJar, IOException {
        keepApart();
        String location = LOCATION + plugin.file().getFileName() + "#" + ++count;
        try (InputStream content = Files.newInputStream(copy)) {
            Bundle made = context.installBundle(location, content);
            made.adapt(BundleStartLevel.class).setStartLevel(START_LEVEL);
            plugin.installed(made);
        } catch (BundleException fault) {
            throw new RefusedJar(
                    "it cannot be installed: " + ActivationFault.line(fault), "mend its manifest and build it anew");
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** Before the first one resolves: a hook costs something for each bundle, so there is none without plugins. */
    private void keepApart() {
        if (count == 0) {
            context.registerService(ResolverHookFactory.class, new OwnPackages(), null);
        }
    }

    /** Starts it, until the node stops. */
    void start(PluginBundle plugin) throws RefusedJar {
        Bundle bundle = Objects.requireNonNull(plugin.bundle());
        try {
            calls.call(plugin.name(), "its start", () -> {
                bundle.start(Bundle.START_TRANSIENT);
                return bundle;
            });
        } catch (BundleException fault) {
            throw reason(bundle, fault);
        } catch (PluginCalls.Stuck stuck) {
            throw new RefusedJar(stuck.reason(), PluginCalls.Stuck.ADVICE);
        }
    }

    private RefusedJar reason(Bundle bundle, BundleException fault) {
        String text = ActivationFault.line(fault);
        return switch (fault.getType()) {
            case BundleException.RESOLVE_ERROR -> unresolved.reason(bundle, text);
            case BundleException.ACTIVATOR_ERROR ->
                new RefusedJar("its activator threw: " + text, "mend the bundle and drop it again");
            default -> new RefusedJar("it does not start: " + text, "mend the bundle and drop it again");
        };
    }

    /** Stops it, and uninstalls it if it is not of the distribution. */
    void takeOut(PluginBundle plugin) {
        Bundle bundle = plugin.bundle();
        if (bundle == null) {
            return;
        }
        if (!plugin.isStock()) {
            plugin.installed(null);
        }
        try {
            calls.call(plugin.name(), "its stop", () -> {
                if (plugin.isStock()) {
                    bundle.stop(Bundle.STOP_TRANSIENT);
                } else {
                    bundle.uninstall();
                }
                return bundle;
            });
        } catch (BundleException | IllegalStateException fault) {
            LOGGER.warn("bundle does not go cleanly: plugin={} reason={}", plugin, ActivationFault.line(fault));
        } catch (PluginCalls.Stuck stuck) {
            LOGGER.warn("bundle stays until it lets go of its thread: plugin={} reason={}", plugin, stuck.reason());
        }
    }
}
