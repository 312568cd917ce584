package io.gregor.metadata;

import io.gregor.internal.node.NodeConfig;
import io.gregor.metadata.internal.FedAuthorizers;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.authorizer.ClusterMetadataAuthorizer;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Feeds the authorizers that decide by ACLs of the metadata, as Kafka's StandardAuthorizer does. Shared: any thread. */
@Component(service = AclFeed.class)
public final class AclFeed {
    private final FedAuthorizers authorizers;

    /** Before any authorizer has come. */
    @Activate
    public AclFeed(@Reference NodeConfig config, @Reference CountedHealth health) {
        authorizers = new FedAuthorizers(config.nodeId(), health.publishing());
    }

    /** An authorizer of any kind; those with rules of their own are left alone. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAuthorizer(Authorizer authorizer) {
        if (authorizer instanceof ClusterMetadataAuthorizer fed) {
            authorizers.add(fed);
        }
    }

    void unbindAuthorizer(Authorizer authorizer) {
        if (authorizer instanceof ClusterMetadataAuthorizer fed) {
            authorizers.remove(fed);
        }
    }

    /** What takes the ACLs: called before all that shows a change to clients. */
    MetadataPublisher publisher() {
        return authorizers;
    }
}
