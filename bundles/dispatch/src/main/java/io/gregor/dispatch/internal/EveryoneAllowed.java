package io.gregor.dispatch.internal;

import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** Allows everything, to those who came to an authorizer while it was taken away. Immutable. */
final class EveryoneAllowed extends AuthorizerWithoutAcls {
    /** The one. */
    static final EveryoneAllowed INSTANCE = new EveryoneAllowed();

    private EveryoneAllowed() {
        super("No Authorizer is configured.");
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        return Collections.nCopies(actions.size(), AuthorizationResult.ALLOWED);
    }

    @Override
    public AuthorizationResult authorizeByResourceType(
            AuthorizableRequestContext who, AclOperation operation, ResourceType type) {
        return AuthorizationResult.ALLOWED;
    }
}
