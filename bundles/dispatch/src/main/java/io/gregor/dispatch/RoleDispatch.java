package io.gregor.dispatch;

import io.gregor.api.Request;
import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import io.gregor.dispatch.internal.BoundFilter;
import io.gregor.dispatch.internal.BoundHandler;
import io.gregor.dispatch.internal.RoleContext;
import io.gregor.dispatch.internal.RoleParts;
import io.gregor.dispatch.internal.ServiceObjects;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.dispatch.RequestRouter;
import io.gregor.internal.dispatch.ServedApis;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.request.Connection;
import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Verdict;
import io.gregor.internal.transport.ConnectionControl;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.SynchronousBundleListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Shared: any thread. The dispatch of one role: intake of frames, request channel, handler threads and handler registry.
 * Handlers are bound by reference only and made when the first request needs them, since some of them refer to services of
 * this component.
 */
@Component(
        configurationPid = Configurations.ROLE,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {
            FrameIntake.class,
            ServedApis.class,
            RequestRouter.class,
            DispatchView.class,
            LiveSettings.class,
            ServingBundles.class
        })
public final class RoleDispatch
        implements FrameIntake,
                ServedApis,
                RequestRouter,
                DispatchView,
                LiveSettings,
                ServingBundles,
                SynchronousBundleListener {
    private final BundleContext context;
    private final RoleParts parts;
    private final AuthorizerServices authorizers;

    /** Starts the handler threads of the role. */
    @Activate
    public RoleDispatch(
            BundleContext bundles,
            Map<String, Object> properties,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference AllHandlerThreads handlers,
            @Reference AuthorizerServices authorizers) {
        this.authorizers = authorizers;
        this.context = bundles;
        Bundle system = bundles.getBundle(Constants.SYSTEM_BUNDLE_ID);
        Role role = Role.of(String.valueOf(properties.get(Role.PROPERTY)));
        parts = RoleParts.of(
                new RoleContext(role, config, handlers.threads()),
                new ServiceObjects(new ServiceSource(bundles), new FilterSource(bundles)),
                faults.fatal("request handlers of the " + role.property()),
                () -> system.getState() == Bundle.STOPPING);
        bundles.addBundleListener(this);
    }

    /** The whole node begins to stop: handlers that leave now do not come back. */
    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPING && event.getBundle().getBundleId() == Constants.SYSTEM_BUNDLE_ID) {
            parts.nodeStops();
        }
    }

    /** Stops the handler threads after the request in hand. */
    @Deactivate
    void deactivate() {
        context.removeBundleListener(this);
        parts.close();
    }

    @Reference(
            name = "handlers",
            service = RequestHandler.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "changeHandler")
    void addHandler(ServiceReference<RequestHandler> handler) {
        parts.registry().add(handler);
    }

    void changeHandler(ServiceReference<RequestHandler> handler) {
        parts.registry().change(handler);
    }

    void removeHandler(ServiceReference<RequestHandler> handler) {
        parts.registry().remove(handler);
    }

    @Reference(
            name = "filters",
            service = RequestFilter.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "changeFilter")
    void addFilter(ServiceReference<RequestFilter> filter) {
        parts.filters().add(filter);
    }

    void changeFilter(ServiceReference<RequestFilter> filter) {
        parts.filters().change(filter);
    }

    void removeFilter(ServiceReference<RequestFilter> filter) {
        parts.filters().remove(filter);
    }

    @Reference(name = "control", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindControl(ConnectionControl control) {
        parts.bundles().connections(control);
    }

    void unbindControl(ConnectionControl control) {
        parts.bundles().connections(null);
    }

    @Reference(name = "quotas", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindQuotas(ClientQuotas quotas) {
        parts.dispatcher().quotas(quotas);
    }

    void unbindQuotas(ClientQuotas quotas) {
        parts.dispatcher().withoutQuotas(quotas);
    }

    @Override
    public void stand(Map<Long, Standing> standings) {
        parts.bundles().stand(standings);
        authorizers.stand(standings);
    }

    @Override
    public List<Account> accounts() {
        return parts.bundles().accounts();
    }

    @Override
    public List<KeyAccount> accountsByKey() {
        return parts.bundles().accountsByKey();
    }

    @Override
    public long inHand(long bundleId) {
        return parts.bundles().inHand(bundleId);
    }

    @Override
    public void hurry(long bundleId) {
        parts.bundles().hurry(bundleId);
    }

    @Override
    public Verdict take(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
        return parts.intake().take(connection, frame, nowNs, onRelease);
    }

    @Override
    public Verdict takeInTurn(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
        return parts.intake().takeInTurn(connection, frame, nowNs, onRelease);
    }

    @Override
    public void endTurn() {
        parts.intake().endTurn();
    }

    @Override
    public Snapshot current() {
        return parts.registry().table().snapshot();
    }

    @Override
    public void routeEmbedded(Request envelope, RequestContext inner, ByteBuffer body) {
        parts.dispatcher().routeEmbedded(envelope, inner, body);
    }

    @Override
    public boolean owns(String key) {
        return parts.settings().owns(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        return parts.settings().prepare(change);
    }

    @Override
    public Figures figures() {
        return parts.figures();
    }

    @Override
    public int queueDepth() {
        return parts.queueDepth();
    }

    @Override
    public int queueCapacity() {
        return parts.queueCapacity();
    }

    @Override
    public int handlerThreads() {
        return parts.handlerThreads();
    }

    @Override
    public int busyHandlerThreads() {
        return parts.busyHandlerThreads();
    }

    @Override
    public int waitingRequests() {
        return parts.waitingRequests();
    }

    @Override
    public long waitingBytes() {
        return parts.waitingBytes();
    }

    @Override
    public List<FilterRow> filterRows() {
        return parts.filterRows();
    }

    @Override
    public boolean tryAgain(String filter) {
        return parts.tryAgain(filter);
    }

    @Override
    public List<HandlerRow> handlers() {
        return parts.handlers();
    }

    /** Immutable. Service objects from the framework. */
    private record ServiceSource(BundleContext bundles) implements BoundHandler.Source {
        @Override
        public @Nullable RequestHandler open(ServiceReference<RequestHandler> reference) {
            return bundles.getService(reference);
        }

        @Override
        public void close(ServiceReference<RequestHandler> reference) {
            bundles.ungetService(reference);
        }
    }

    /** Immutable. Filters from the framework. */
    private record FilterSource(BundleContext bundles) implements BoundFilter.Source {
        @Override
        public @Nullable RequestFilter open(ServiceReference<RequestFilter> reference) {
            return bundles.getService(reference);
        }

        @Override
        public void close(ServiceReference<RequestFilter> reference) {
            bundles.ungetService(reference);
        }
    }
}
