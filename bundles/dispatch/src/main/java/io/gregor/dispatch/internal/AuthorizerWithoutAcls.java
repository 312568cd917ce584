package io.gregor.dispatch.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/** Stands in where there is no authorizer: it is ready at once, and has no ACLs to tell or to change. Immutable. */
abstract class AuthorizerWithoutAcls implements Authorizer {
    private final String why;

    /** Tells those who ask for ACLs why there are none. */
    AuthorizerWithoutAcls(String why) {
        this.why = why;
    }

    @Override
    public final Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return Map.of();
    }

    @Override
    public final List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        throw none();
    }

    @Override
    public final List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        throw none();
    }

    @Override
    public final Iterable<AclBinding> acls(AclBindingFilter filter) {
        throw none();
    }

    private SecurityDisabledException none() {
        return new SecurityDisabledException(why);
    }

    @Override
    public final void configure(Map<String, ?> values) {
        // made with what it needs
    }

    @Override
    public final void close() {
        // nothing is open
    }
}
