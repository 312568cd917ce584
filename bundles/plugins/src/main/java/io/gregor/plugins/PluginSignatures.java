package io.gregor.plugins;

import io.gregor.internal.node.NodeFaults;
import io.gregor.plugins.internal.JarCheck;
import io.gregor.plugins.internal.SignatureRule;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Looks at the signatures of jars, if the operator has said whose count. It is there before the first jar is taken, and so
 * before the configuration is read; with a store that cannot be used the node does not start. Immutable.
 */
@Component(service = PluginSignatures.class)
public final class PluginSignatures {
    private final SignatureRule rule;

    /** Reads the store. */
    @Activate
    public PluginSignatures(BundleContext context) {
        rule = SignatureRule.of(context::getProperty);
    }

    /** What each jar must pass. */
    JarCheck check() {
        return rule.check();
    }

    /** The node begins to start. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindFaults(NodeFaults faults) {
        if (!rule.fault().isEmpty()) {
            faults.refuseStart(rule.fault());
        }
    }

    void unbindFaults(NodeFaults faults) {}
}
