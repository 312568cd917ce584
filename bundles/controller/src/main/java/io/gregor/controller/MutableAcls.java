package io.gregor.controller;

import io.gregor.internal.node.Configurations;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.metadata.authorizer.ClusterMetadataAuthorizer;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Lets authorizers that live on the metadata change ACLs through this controller. Immutable. */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = MutableAcls.class)
public final class MutableAcls {
    private final Controller controller;

    /** Changes them through this controller. */
    @Activate
    public MutableAcls(@Reference Controller controller) {
        this.controller = controller;
    }

    /** An authorizer of any kind; those with rules of their own store them themselves. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAuthorizer(Authorizer authorizer) {
        if (authorizer instanceof ClusterMetadataAuthorizer fed) {
            fed.setAclMutator(controller);
        }
    }

    /** Nobody asks it any more. */
    void unbindAuthorizer(Authorizer authorizer) {}
}
