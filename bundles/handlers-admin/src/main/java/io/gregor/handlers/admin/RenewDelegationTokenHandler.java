package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.security.TokenRequests;
import org.apache.kafka.common.message.RenewDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RenewDelegationTokenResponse;
import org.apache.kafka.security.DelegationTokenManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** RenewDelegationToken: the controller puts off its expiry (KIP-48). Immutable. */
@Component
@ServesApi(api_key = 39, api_brief = true)
public final class RenewDelegationTokenHandler implements RequestHandler {
    private final Forwarding forwarding;

    /** Made by the service registry. */
    @Activate
    public RenewDelegationTokenHandler(@Reference Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public void handle(Request request) {
        if (TokenRequests.areAllowed(request.context())) {
            forwarding.forward(request);
        } else {
            request.respond(new RenewDelegationTokenResponse(new RenewDelegationTokenResponseData()
                    .setErrorCode(Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.code())
                    .setExpiryTimestampMs(DelegationTokenManager.ERROR_TIMESTAMP)));
        }
    }
}
