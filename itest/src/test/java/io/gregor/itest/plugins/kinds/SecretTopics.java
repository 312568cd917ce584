package io.gregor.itest.plugins.kinds;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
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

/** Nobody may see topics whose names begin with {@code secret}; a principal bob may see none. */
public class SecretTopics implements Authorizer {
    @Override
    public void configure(Map<String, ?> values) {}

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return server.endpoints().stream()
                .collect(Collectors.toMap(Function.identity(), one -> CompletableFuture.completedFuture(null)));
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        return actions.stream()
                .map(action -> isHidden(who, action.resourcePattern().name())
                        ? AuthorizationResult.DENIED
                        : AuthorizationResult.ALLOWED)
                .toList();
    }

    private boolean isHidden(AuthorizableRequestContext who, String name) {
        return name.startsWith(hidden()) || who.principal().getName().equals("bob");
    }

    /** What the names begin with that nobody may see. */
    protected String hidden() {
        return "secret";
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        return List.of();
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        return List.of();
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        return List.of();
    }

    @Override
    public void close() {}
}
