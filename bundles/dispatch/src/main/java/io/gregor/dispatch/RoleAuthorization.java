package io.gregor.dispatch;

import io.gregor.dispatch.internal.Decider;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.security.authorizer.AclEntry;
import org.apache.kafka.server.AuthHelper;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Immutable. The authorization of one role: Kafka's own helper over the authorizer that decides now, or over none. */
@Component(configurationPid = Configurations.ROLE, configurationPolicy = ConfigurationPolicy.REQUIRE)
public final class RoleAuthorization implements Authorization {
    private final Supplier<Decider> deciders;

    /** Over the authorizers of the node. */
    @Activate
    public RoleAuthorization(@Reference AuthorizerServices authorizers) {
        this(authorizers::current);
    }

    RoleAuthorization(Supplier<Decider> deciders) {
        this.deciders = deciders;
    }

    private AuthHelper helper() {
        return deciders.get().helper();
    }

    @Override
    public boolean isOpen() {
        return deciders.get().isOpen();
    }

    @Override
    public Optional<Authorizer> authorizer() {
        return Optional.ofNullable(deciders.get().authorizer());
    }

    @Override
    public boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name) {
        return helper().authorize(who, operation, type, name);
    }

    @Override
    public boolean isAllowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            String name,
            boolean logAllowed,
            boolean logDenied) {
        return helper().authorize(who, operation, type, name, logAllowed, logDenied, 1);
    }

    @Override
    public boolean isAllowedSomewhere(RequestContext who, AclOperation operation, ResourceType type) {
        return helper().authorizeByResourceType(who, operation, type);
    }

    @Override
    public <T> Set<String> allowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            Collection<T> items,
            Function<T, String> name) {
        return helper().filterByAuthorized(who, operation, type, items, name);
    }

    @Override
    public void requireCluster(RequestContext who, AclOperation operation) {
        if (!isAllowed(who, operation, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            throw new ClusterAuthorizationException("operation=" + operation
                    + " on the cluster is not allowed to principal=" + who.principal + "; an ACL would allow it");
        }
    }

    @Override
    public int allowedOperations(RequestContext who, ResourceType type, String name) {
        int bits = 0;
        Decider decider = deciders.get();
        for (AclOperation operation : AclEntry.supportedOperations(type)) {
            if (decider.isOpen() || decider.helper().authorize(who, operation, type, name, false, false, 1)) {
                bits |= 1 << operation.code();
            }
        }
        return bits;
    }
}
