package io.gregor.dispatch;

import io.gregor.dispatch.internal.Authorizers;
import io.gregor.dispatch.internal.Decider;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.plugin.Standing;
import java.util.Map;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** The authorizers of bundles, and the one that a key names: one choice for all roles of the node. Shared: any thread. */
@Component(immediate = true, service = AuthorizerServices.class)
public final class AuthorizerServices {
    private final BundleContext context;
    private final Authorizers authorizers;
    private final BundleListener uninstalled = this::bundleChanged;

    /** Before any has come. */
    @Activate
    public AuthorizerServices(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference Metrics metrics) {
        this.context = context;
        Bundle system = context.getBundle(Constants.SYSTEM_BUNDLE_ID);
        this.authorizers =
                Authorizers.of(config, identity, faults, metrics, () -> system.getState() == Bundle.STOPPING);
        context.addBundleListener(uninstalled);
    }

    @Deactivate
    void stop() {
        context.removeBundleListener(uninstalled);
    }

    /** An authorizer; it is started at once. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "changeAuthorizer")
    void bindAuthorizer(ServiceReference<Authorizer> reference, Authorizer authorizer) {
        authorizers.add(reference, authorizer);
    }

    void changeAuthorizer(ServiceReference<Authorizer> reference) {
        authorizers.change(reference);
    }

    void unbindAuthorizer(ServiceReference<Authorizer> reference) {
        authorizers.remove(reference);
    }

    /** Who decides now. */
    Decider current() {
        return authorizers.choice().current();
    }

    /** How bundles stand now. */
    void stand(Map<Long, Standing> standings) {
        authorizers.choice().stand(standings);
    }

    private void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.UNINSTALLED) {
            authorizers.uninstalled(event.getBundle().getBundleId());
        }
    }
}
