package io.gregor.dispatch.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiPredicate;
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

/** An authorizer whose decisions are the test's, without ACLs. Immutable. */
public class FakeAuthorizer implements Authorizer {
    private final BiPredicate<AuthorizableRequestContext, Action> allowed;

    public FakeAuthorizer(BiPredicate<AuthorizableRequestContext, Action> allowed) {
        this.allowed = allowed;
    }

    @Override
    public final List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        return actions.stream()
                .map(action -> allowed.test(context, action) ? AuthorizationResult.ALLOWED : AuthorizationResult.DENIED)
                .toList();
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return Map.of();
    }

    @Override
    public final List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext context, List<AclBinding> bindings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext context, List<AclBindingFilter> filters) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final Iterable<AclBinding> acls(AclBindingFilter filter) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public final void close() {}
}
