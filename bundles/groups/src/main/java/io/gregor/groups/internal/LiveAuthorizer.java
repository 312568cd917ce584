package io.gregor.groups.internal;

import io.gregor.internal.dispatch.Authorization;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/**
 * The authorizer that the group coordinator asks which topics of a regular expression a member sees: whoever decides at that
 * moment, everything allowed where nobody does. Immutable.
 */
public record LiveAuthorizer(Authorization authorization) implements Authorizer {
    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        return authorization
                .authorizer()
                .map(decides -> decides.authorize(who, actions))
                .orElseGet(() -> Collections.nCopies(actions.size(), AuthorizationResult.ALLOWED));
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo serverInfo) {
        return Map.of();
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        throw new UnsupportedOperationException("the group coordinator creates no ACLs");
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        throw new UnsupportedOperationException("the group coordinator deletes no ACLs");
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        throw new UnsupportedOperationException("the group coordinator lists no ACLs");
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    /** Whoever decides belongs to dispatch. */
    @Override
    public void close() {}
}
