package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.security.TokenRequests;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.CreateDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.CreateDelegationTokenRequest;
import org.apache.kafka.common.requests.CreateDelegationTokenResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Makes a delegation token for the one who asks, or for another by right of CreateTokens (KIP-48, KIP-373). Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 38, role = "controller", api_brief = true)
public final class CreateDelegationTokenHandler implements RequestHandler {
    /** From this version on clients are told who asked for the token, which may be another than its owner. */
    private static final short REQUESTER_VERSION = 3;

    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public CreateDelegationTokenHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        CreateDelegationTokenRequest body = request.body(CreateDelegationTokenRequest.class);
        KafkaPrincipal requester = request.context().principal;
        KafkaPrincipal owner = TokenRequests.owner(request.context(), body.data());
        Errors refusal = refusal(request, requester, owner);
        if (refusal != Errors.NONE) {
            request.respond(
                    CreateDelegationTokenResponse.prepareResponse(request.apiVersion(), 0, refusal, owner, requester));
            return;
        }
        ControllerCalls.answer(
                request,
                calls.controller().createDelegationToken(ControllerCalls.context(request), body.data()),
                created -> response(request.apiVersion(), created));
    }

    private static AbstractResponse response(short version, CreateDelegationTokenResponseData created) {
        if (version < REQUESTER_VERSION) {
            created.setTokenRequesterPrincipalType("").setTokenRequesterPrincipalName("");
        }
        return new CreateDelegationTokenResponse(created);
    }

    private Errors refusal(Request request, KafkaPrincipal requester, KafkaPrincipal owner) {
        if (!ControllerCalls.mayAskAboutTokens(request)) {
            return Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED;
        }
        boolean isAllowed = owner.equals(requester)
                || calls.authorization()
                        .isAllowed(request.context(), AclOperation.CREATE_TOKENS, ResourceType.USER, owner.toString());
        return isAllowed ? Errors.NONE : Errors.DELEGATION_TOKEN_AUTHORIZATION_FAILED;
    }
}
