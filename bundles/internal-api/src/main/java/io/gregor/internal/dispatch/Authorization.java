package io.gregor.internal.dispatch;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.Authorizer;

/**
 * Asks the role's authorizer. A service of dispatch, with the property {@code role}. Without a configured authorizer
 * everything is allowed. Shared: any thread.
 */
public interface Authorization {
    /** Whether everything is allowed to everyone, as without authorizer: one answer then serves all principals. */
    default boolean isOpen() {
        return false;
    }

    /** Who decides now, for those who tell or change its ACLs; empty if everything is allowed to everyone. */
    default Optional<Authorizer> authorizer() {
        return Optional.empty();
    }

    /** Whether the principal may do this to the named resource. */
    boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name);

    /** The same, and whether an allowed or a denied answer is written to the audit log. */
    boolean isAllowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            String name,
            boolean logAllowed,
            boolean logDenied);

    /** Whether there is any resource of the type for which the principal may do this. */
    boolean isAllowedSomewhere(RequestContext who, AclOperation operation, ResourceType type);

    /** The names, of those given, for which the operation is allowed. */
    <T> Set<String> allowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            Collection<T> items,
            Function<T, String> name);

    /** Throws ClusterAuthorizationException if the operation on the cluster is not allowed. */
    void requireCluster(RequestContext who, AclOperation operation);

    /** What the principal may do to a resource, as the bits of KIP-430. */
    int allowedOperations(RequestContext who, ResourceType type, String name);
}
