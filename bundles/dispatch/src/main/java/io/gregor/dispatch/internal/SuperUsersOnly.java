package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;
import org.jspecify.annotations.Nullable;

/**
 * Decides while the authorizer that should is not ready or not there: {@code super.users} may do everything, members of the
 * cluster what they do as such on the controllers' listeners, everyone else nothing. Immutable.
 */
final class SuperUsersOnly implements Authorizer {
    private final Set<String> superUsers;
    private final Set<String> controllerListeners;

    private SuperUsersOnly(Set<String> superUsers, Set<String> controllerListeners) {
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

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return Map.of();
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        throw notNow();
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        throw notNow();
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        throw notNow();
    }

    private static ApiException notNow() {
        return new SecurityDisabledException("the authorizer of this node is not ready");
    }

    @Override
    public void configure(Map<String, ?> values) {
        // made with them
    }

    @Override
    public void close() {
        // nothing is open
    }

    /** For messages: the key that lets somebody in meanwhile. */
    static String key() {
        return StandardAuthorizer.SUPER_USERS_CONFIG;
    }
}
