package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.message.ExpireDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ExpireDelegationTokenRequest;
import org.apache.kafka.common.requests.ExpireDelegationTokenResponse;
import org.apache.kafka.security.DelegationTokenManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Brings the expiry of a delegation token forward, or ends it at once. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 40, role = "controller", api_brief = true)
public final class ExpireDelegationTokenHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public ExpireDelegationTokenHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        if (!ControllerCalls.mayAskAboutTokens(request)) {
            request.respond(new ExpireDelegationTokenResponse(new ExpireDelegationTokenResponseData()
                    .setErrorCode(Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.code())
                    .setExpiryTimestampMs(DelegationTokenManager.ERROR_TIMESTAMP)));
            return;
        }
        ExpireDelegationTokenRequest body = request.body(ExpireDelegationTokenRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().expireDelegationToken(ControllerCalls.context(request), body.data()),
                ExpireDelegationTokenResponse::new);
    }
}
