package io.gregor.handlers.admin.internal;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.security.TokenRequests;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DescribeDelegationTokenRequestData.DescribeDelegationTokenOwner;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeDelegationTokenRequest;
import org.apache.kafka.common.requests.DescribeDelegationTokenResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.token.delegation.DelegationToken;
import org.apache.kafka.common.security.token.delegation.TokenInformation;
import org.apache.kafka.security.DelegationTokenManager;

/**
 * The answer to DescribeDelegationToken: of the owners asked for, or of all, the tokens that the one who asks owns, may renew,
 * or has the right to see, on the token or on its owner. Immutable.
 */
public record TokenDescription(Authorization authorization, DelegationTokenManager tokens) {
    /** Answers. */
    public void respond(Request request) {
        if (!TokenRequests.areAllowed(request.context())) {
            respond(request, Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, List.of());
        } else if (!tokens.isEnabled()) {
            respond(request, Errors.DELEGATION_TOKEN_AUTH_DISABLED, List.of());
        } else {
            respond(request, Errors.NONE, visible(request));
        }
    }

    private List<DelegationToken> visible(Request request) {
        List<DescribeDelegationTokenOwner> asked =
                request.body(DescribeDelegationTokenRequest.class).data().owners();
        RequestContext who = request.context();
        Optional<List<KafkaPrincipal>> owners = Optional.ofNullable(asked).map(TokenDescription::principals);
        return tokens.getTokens(token -> isVisible(who, owners, token));
    }

    private boolean isVisible(RequestContext who, Optional<List<KafkaPrincipal>> owners, TokenInformation token) {
        return DelegationTokenManager.filterToken(
                who.principal,
                owners,
                token,
                tokenId -> authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.DELEGATION_TOKEN, tokenId),
                owner -> authorization.isAllowed(
                        who, AclOperation.DESCRIBE_TOKENS, ResourceType.USER, owner.toString()));
    }

    private static List<KafkaPrincipal> principals(List<DescribeDelegationTokenOwner> owners) {
        return owners.stream()
                .map(owner -> new KafkaPrincipal(owner.principalType(), owner.principalName()))
                .toList();
    }

    private static void respond(Request request, Errors error, List<DelegationToken> rows) {
        request.respond(new DescribeDelegationTokenResponse(request.apiVersion(), 0, error, rows));
    }
}
