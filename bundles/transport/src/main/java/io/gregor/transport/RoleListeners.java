package io.gregor.transport;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ChannelLayers;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.dispatch.VersionsAnswers;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.plugin.BundleUse;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.internal.plugin.PluginsStarted;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.transport.ConnectionControl;
import io.gregor.internal.transport.ListenerRegistrar;
import io.gregor.internal.transport.TransportView;
import io.gregor.transport.internal.AddressRateFollower;
import io.gregor.transport.internal.RoleDoors;
import io.gregor.transport.internal.SecurityServices;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * The listeners of one role: bound when the node knows itself, opened when the role is ready and plugins are started, closed
 * when the role no longer is ready. Shared: any thread. Nothing else that leaves closes them.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = Configurations.ROLE,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class RoleListeners implements FrameworkListener, BundleUse {
    private final SecurityServices security = new SecurityServices();
    private final BundleContext context;
    private final Role role;
    private final NodeFaults faults;
    private final List<ServiceRegistration<?>> registrations = new CopyOnWriteArrayList<>();
    private final PublishedListeners published;
    private final RoleDoors doors;
    private volatile PluginClasses classes = Utils.class::getClassLoader;
    private volatile boolean areAllStarted;
    private volatile boolean isReady;
    private volatile boolean arePluginsStarted;
    private volatile @Nullable Following addressRates;

    /** The own role. */
    public @interface Config {
        /** {@code broker} or {@code controller}. */
        String role();
    }

    /** Nothing bound yet. */
    @Activate
    public RoleListeners(
            BundleContext context,
            Config settings,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics) {
        this.context = context;
        this.faults = faults;
        this.role = Role.of(settings.role());
        this.published = new PublishedListeners(context, role);
        this.doors = new RoleDoors(role, config, faults, metrics, security, published);
    }

    @Activate
    void activate() {
        EngineThread.run(classes.loader(), () -> {
            if (doors.bind()) {
                show();
            }
        });
        context.addFrameworkListener(this);
        boolean allStarted = context.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.ACTIVE;
        goOn(allStarted);
    }

    @Deactivate
    void deactivate() {
        context.removeFrameworkListener(this);
        registrations.forEach(ServiceRegistration::unregister);
        published.close();
        doors.close();
    }

    /** All bundles are started: with the plugins, a security protocol that is not there now is not installed. */
    @Override
    public void frameworkEvent(FrameworkEvent event) {
        if (event.getType() == FrameworkEvent.STARTED) {
            goOn(true);
        }
    }

    @Reference(name = "ready", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindReady(RoleReady latch) {
        isReady = true;
        goOn(true);
    }

    void unbindReady(RoleReady latch) {
        doors.close();
    }

    @Reference(name = "plugins", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindPlugins(PluginsStarted latch) {
        arePluginsStarted = true;
        goOn(false);
    }

    /** Their deployer may go; what it has started stays. */
    void unbindPlugins(PluginsStarted latch) {}

    /** It has been there before the configuration; what it has found stays when it leaves. */
    @Reference(
            name = "classes",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindClasses(PluginClasses came) {
        classes = came;
    }

    void unbindClasses(PluginClasses gone) {}

    @Reference(name = "intake", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindIntake(FrameIntake intake) {
        doors.intake().fill(intake);
        doors.poke();
        goOn(false);
    }

    void unbindIntake(FrameIntake intake) {
        doors.intake().empty(intake);
    }

    @Reference(
            name = "versions",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindVersions(VersionsAnswers came) {
        doors.versions().fill(came);
    }

    void unbindVersions(VersionsAnswers gone) {
        doors.versions().empty(gone);
    }

    /** Keeps something for each connection, until it is told that the connection has ended. */
    @Reference(name = "disconnections", cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindDisconnections(ConnectionDisconnectListener listener) {
        doors.disconnections().add(listener);
    }

    void unbindDisconnections(ConnectionDisconnectListener listener) {
        doors.disconnections().remove(listener);
    }

    @Reference(name = "registrar", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindRegistrar(ListenerRegistrar registrar) {
        published.registrar(registrar);
    }

    void unbindRegistrar(ListenerRegistrar registrar) {
        published.withoutRegistrar(registrar);
    }

    @Reference(name = "feed", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindFeed(MetadataFeed feed) {
        Following following = new Following(
                feed,
                faults,
                "connection rates of the " + role.property(),
                new AddressRateFollower(doors::addressRates));
        addressRates = following;
        following.start(() -> {});
    }

    void unbindFeed(MetadataFeed feed) {
        Following following = addressRates;
        if (following != null) {
            following.close();
        }
    }

    @Reference(
            name = "layers",
            service = ChannelLayers.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC)
    void bindLayers(ServiceReference<ChannelLayers> reference, ChannelLayers layers) {
        security.addLayers(reference, layers);
        goOn(false);
    }

    void unbindLayers(ServiceReference<ChannelLayers> reference) {
        security.removeLayers(reference);
        goOn(false);
    }

    @Reference(
            name = "authenticators",
            service = Authenticators.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC)
    void bindAuthenticators(ServiceReference<Authenticators> reference, Authenticators authenticators) {
        security.addAuthenticators(reference, authenticators);
        goOn(false);
    }

    void unbindAuthenticators(ServiceReference<Authenticators> reference) {
        security.removeAuthenticators(reference);
        goOn(false);
    }

    @Reference(
            name = "principals",
            service = KafkaPrincipalBuilder.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC)
    void bindPrincipals(ServiceReference<KafkaPrincipalBuilder> reference, KafkaPrincipalBuilder principals) {
        security.addPrincipals(reference, principals);
        goOn(false);
    }

    void unbindPrincipals(ServiceReference<KafkaPrincipalBuilder> reference) {
        security.removePrincipals(reference);
        goOn(false);
    }

    @Override
    public long inUse(long bundleId) {
        return doors.inUse(bundleId);
    }

    @Override
    public void stand(Map<Long, Standing> standings) {
        security.stand(standings);
        goOn(false);
    }

    private void show() {
        Dictionary<String, Object> ofRole = FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, role.property()));
        registrations.add(context.registerService(TransportView.class, doors.view(), ofRole));
        registrations.add(context.registerService(ConnectionControl.class, doors.control(), ofRole));
        registrations.add(context.registerService(LiveSettings.class, doors.settings(), ofRole));
        registrations.add(context.registerService(BundleUse.class, this, ofRole));
    }

    /** Takes the next steps that can be taken; before the ports are bound there are none. */
    private void goOn(boolean allStarted) {
        if (allStarted) {
            areAllStarted = true;
        }
        EngineThread.run(classes.loader(), () -> {
            doors.prepare(areAllStarted && arePluginsStarted);
            doors.renew();
            if (isReady && arePluginsStarted && doors.intake().current() != null) {
                doors.open();
            }
        });
    }
}
