package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.security.TokenRequests;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * CreateDelegationToken: the controller makes it, for the one who asks or, by right of CreateTokens, for another (KIP-48,
 * KIP-373). Immutable.
 */
@Component
@ServesApi(api_key = 38, api_brief = true)
public final class CreateDelegationTokenHandler implements RequestHandler {
    private final Authorization authorization;
    private final Forwarding forwarding;

    /** Made by the service registry. */
    @Activate
    public CreateDelegationTokenHandler(
            @Reference(target = "(role=broker)") Authorization authorization, @Reference Forwarding forwarding) {
        this.authorization = authorization;
        this.forwarding = forwarding;
    }

    @Override
    public void handle(Request request) {
        CreateDelegationTokenRequestData asked =
                request.body(CreateDelegationTokenRequest.class).data();
        KafkaPrincipal requester = request.context().principal;
        KafkaPrincipal owner = TokenRequests.owner(request.context(), asked);
        Errors refusal = refusal(request, asked, requester, owner);
        if (refusal == Errors.NONE) {
            forwarding.forward(request);
        } else {
            request.respond(
                    CreateDelegationTokenResponse.prepareResponse(request.apiVersion(), 0, refusal, owner, requester));
        }
    }

    private Errors refusal(
            Request request, CreateDelegationTokenRequestData asked, KafkaPrincipal requester, KafkaPrincipal owner) {
        if (!TokenRequests.areAllowed(request.context())) {
            return Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED;
        }
        if (!owner.equals(requester)
                && !authorization.isAllowed(
                        request.context(), AclOperation.CREATE_TOKENS, ResourceType.USER, owner.toString())) {
            return Errors.DELEGATION_TOKEN_AUTHORIZATION_FAILED;
        }
        boolean areUsers =
                asked.renewers().stream().allMatch(renewer -> KafkaPrincipal.USER_TYPE.equals(renewer.principalType()));
        return areUsers ? Errors.NONE : Errors.INVALID_PRINCIPAL_TYPE;
    }
}
