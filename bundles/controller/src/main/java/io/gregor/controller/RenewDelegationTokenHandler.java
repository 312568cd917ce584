package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.message.RenewDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RenewDelegationTokenRequest;
import org.apache.kafka.common.requests.RenewDelegationTokenResponse;
import org.apache.kafka.security.DelegationTokenManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Puts off the expiry of a delegation token. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 39, role = "controller", api_brief = true)
public final class RenewDelegationTokenHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public RenewDelegationTokenHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        if (!ControllerCalls.mayAskAboutTokens(request)) {
            request.respond(new RenewDelegationTokenResponse(new RenewDelegationTokenResponseData()
                    .setErrorCode(Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.code())
                    .setExpiryTimestampMs(DelegationTokenManager.ERROR_TIMESTAMP)));
            return;
        }
        RenewDelegationTokenRequest body = request.body(RenewDelegationTokenRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().renewDelegationToken(ControllerCalls.context(request), body.data()),
                RenewDelegationTokenResponse::new);
    }
}
