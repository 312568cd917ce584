package io.gregor.itest.plugins.kinds;

import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.osgi.framework.FrameworkUtil;

/**
 * Nobody may see topics whose names begin with {@code secret}, or with what the bundle's header {@code Test-Also-Hidden}
 * says; a principal bob may see none.
 */
public final class SecretTopics implements Authorizer {
    private final String alsoHidden = Objects.requireNonNullElse(
            FrameworkUtil.getBundle(SecretTopics.class).getHeaders().get("Test-Also-Hidden"), "secret");

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
        return name.startsWith("secret")
                || name.startsWith(alsoHidden)
                || who.principal().getName().equals("bob");
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
