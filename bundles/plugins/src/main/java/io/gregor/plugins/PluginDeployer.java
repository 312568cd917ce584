package io.gregor.plugins;

import io.gregor.internal.change.Journal;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.plugin.BundleUse;
import io.gregor.internal.plugin.Plugins;
import io.gregor.internal.plugin.PluginsStarted;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.plugins.internal.Deployer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the jars of {@code deploy/}. Shared: any thread; FileInstall tells what comes and goes, everything is done by the
 * deployer thread.
 */
@Component(immediate = true, service = ArtifactInstaller.class, property = "service.ranking:Integer=2147483647")
public final class PluginDeployer implements ArtifactInstaller, Deployer.Surroundings {
    private static final Logger LOGGER = LoggerFactory.getLogger(PluginDeployer.class);
    private static final String JAR = ".jar";

    private final BundleContext context;
    private final DeployedBundles deployed;
    private final Path directory;
    private final Deployer deployer;
    private final Set<RoleReady> ready = ConcurrentHashMap.newKeySet();
    private final FrameworkListener onStarted = this::frameworkChanged;
    private final SynchronousBundleListener onStopping = this::bundleChanged;
    private volatile @Nullable NodeConfig config;
    private volatile @Nullable LiveConfig liveConfig;
    private volatile @Nullable ServiceRegistration<PluginsStarted> latch;
    private @Nullable ServiceRegistration<Plugins> plugins;

    /** Nothing taken yet. */
    @Activate
    public PluginDeployer(
            BundleContext context,
            @Reference DeployedBundles deployed,
            @Reference ServiceComponentRuntime runtime,
            @Reference PluginSignatures signatures) {
        this.context = context;
        this.deployed = deployed;
        Path home = Path.of(String.valueOf(context.getProperty("gregor.home")));
        directory = home.resolve("deploy");
        deployer = new Deployer(context, runtime, directory, home.resolve("run/tmp/plugins"), this);
        deployer.intake().add(signatures.check());
    }

    @Activate
    void activate() {
        context.addFrameworkListener(onStarted);
        context.addBundleListener(onStopping);
        plugins = context.registerService(Plugins.class, deployer, null);
        deployed.taking(deployer::taken);
        deployer.start();
        makeDirectory();
    }

    /** FileInstall only watches what is there when it starts. */
    private void makeDirectory() {
        try {
            if (Files.notExists(directory)) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            }
        } catch (IOException fault) {
            LOGGER.warn("directory of plugins cannot be made: directory={} reason={}", directory, fault.toString());
        }
    }

    @Deactivate
    void deactivate() {
        context.removeFrameworkListener(onStarted);
        context.removeBundleListener(onStopping);
        ServiceRegistration<Plugins> shown = plugins;
        if (shown != null) {
            shown.unregister();
        }
        ServiceRegistration<PluginsStarted> started = latch;
        if (started != null) {
            started.unregister();
        }
        deployer.stop();
    }

    private void frameworkChanged(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.STARTED) {
            deployer.poke();
        }
    }

    private void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == Constants.SYSTEM_BUNDLE_ID) {
            deployer.halt();
        }
    }

    @Override
    public boolean canHandle(File artifact) {
        return artifact.getName().endsWith(JAR);
    }

    @Override
    public void install(File artifact) {
        deployer.changed(artifact.toPath());
    }

    @Override
    public void update(File artifact) {
        deployer.changed(artifact.toPath());
    }

    @Override
    public void uninstall(File artifact) {
        deployer.gone(artifact.toPath());
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindServing(ServingBundles serving, Map<String, Object> properties) {
        deployer.standings().add(role(properties), serving);
        deployer.poke();
    }

    void unbindServing(ServingBundles serving, Map<String, Object> properties) {
        deployer.standings().remove(role(properties), serving);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindView(DispatchView view) {
        deployer.standings().add(view);
    }

    void unbindView(DispatchView view) {
        deployer.standings().remove(view);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindUse(BundleUse use) {
        deployer.standings().add(use);
    }

    void unbindUse(BundleUse use) {
        deployer.standings().remove(use);
    }

    private static Role role(Map<String, Object> properties) {
        return Role.of(String.valueOf(properties.get(Role.PROPERTY)));
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindReady(RoleReady role) {
        ready.add(role);
    }

    void unbindReady(RoleReady role) {
        ready.remove(role);
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindConfig(NodeConfig came) {
        config = came;
        deployer.poke();
    }

    void unbindConfig(NodeConfig gone) {}

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindLiveConfig(LiveConfig came) {
        liveConfig = came;
    }

    void unbindLiveConfig(LiveConfig gone) {
        liveConfig = null;
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindJournal(Journal journal) {
        deployer.report().journal(journal);
    }

    void unbindJournal(Journal journal) {
        deployer.report().withoutJournal(journal);
    }

    @Override
    public boolean isStartPossible(boolean isAnythingThere) {
        NodeConfig known = config;
        return known != null
                && deployer.standings().hasAll(known.roles())
                && (!isAnythingThere
                        || context.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.ACTIVE);
    }

    @Override
    public boolean isNodeReady() {
        NodeConfig known = config;
        return known != null && ready.size() >= known.roles().size();
    }

    @Override
    public long swapTimeoutMs() {
        LiveConfig live = liveConfig;
        NodeConfig known = live == null ? config : live.current();
        return known == null
                ? GregorConfigs.HANDLER_SWAP_TIMEOUT_MS_DEFAULT
                : known.values().getLong(GregorConfigs.HANDLER_SWAP_TIMEOUT_MS_CONFIG);
    }

    @Override
    public void started() {
        Dictionary<String, Object> none = FrameworkUtil.asDictionary(Map.of());
        latch = context.registerService(PluginsStarted.class, new PluginsStarted() {}, none);
    }

    @Override
    public void installed(List<Bundle> bundles) {
        deployed.replace(bundles);
    }
}
