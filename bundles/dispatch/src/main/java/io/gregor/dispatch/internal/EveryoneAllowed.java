package io.gregor.dispatch.internal;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/** Allows everything, to those who came to an authorizer while it was taken away. Immutable. */
enum EveryoneAllowed implements Authorizer {
    /** The one. */
    INSTANCE;

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        return Collections.nCopies(actions.size(), AuthorizationResult.ALLOWED);
    }

    @Override
    public AuthorizationResult authorizeByResourceType(
            AuthorizableRequestContext who, AclOperation operation, ResourceType type) {
        return AuthorizationResult.ALLOWED;
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return Map.of();
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        throw none();
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        throw none();
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        throw none();
    }

    private static SecurityDisabledException none() {
        return new SecurityDisabledException("No Authorizer is configured.");
    }

    @Override
    public void configure(Map<String, ?> values) {
        // has no values
    }

    @Override
    public void close() {
        // nothing is open
    }
}
