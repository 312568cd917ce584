package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.jspecify.annotations.Nullable;

/**
 * Decides while the authorizer that should is not ready or not there: {@code super.users} may do everything, members of the
 * cluster what they do as such on the controllers' listeners, everyone else nothing. Immutable.
 */
final class SuperUsersOnly extends AuthorizerWithoutAcls {
    private final Set<String> superUsers;
    private final Set<String> controllerListeners;

    private SuperUsersOnly(Set<String> superUsers, Set<String> controllerListeners) {
        super("the authorizer of this node is not ready");
        this.superUsers = superUsers;
        this.controllerListeners = controllerListeners;
    }

    /**
     * Reads {@code super.users}, as {@code User:alice;User:bob}.
     *
     * @throws IllegalArgumentException if one of them is no principal
     */
    static SuperUsersOnly of(@Nullable Object superUsers, Set<String> controllerListeners) {
        Set<String> principals = new HashSet<>();
        for (String one :
                superUsers == null ? new String[0] : superUsers.toString().split(";")) {
            if (!one.isBlank()) {
                principals.add(SecurityUtils.parseKafkaPrincipal(one.strip()).toString());
            }
        }
        return new SuperUsersOnly(principals, controllerListeners);
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        List<AuthorizationResult> results = new ArrayList<>(actions.size());
        actions.forEach(action -> results.add(result(isSuperUser(who) || isOfCluster(who, action))));
        return results;
    }

    @Override
    public AuthorizationResult authorizeByResourceType(
            AuthorizableRequestContext who, AclOperation operation, ResourceType type) {
        return result(isSuperUser(who));
    }

    private boolean isSuperUser(AuthorizableRequestContext who) {
        return superUsers.contains(who.principal().toString());
    }

    private boolean isOfCluster(AuthorizableRequestContext who, Action action) {
        return action.operation() == AclOperation.CLUSTER_ACTION
                && action.resourcePattern().resourceType() == ResourceType.CLUSTER
                && controllerListeners.contains(who.listenerName());
    }

    private static AuthorizationResult result(boolean isAllowed) {
        return isAllowed ? AuthorizationResult.ALLOWED : AuthorizationResult.DENIED;
    }

    /** For messages: the key that lets somebody in meanwhile. */
    static String key() {
        return StandardAuthorizer.SUPER_USERS_CONFIG;
    }
}
