package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.security.TokenRequests;
import org.apache.kafka.common.message.ExpireDelegationTokenResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ExpireDelegationTokenResponse;
import org.apache.kafka.security.DelegationTokenManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ExpireDelegationToken: the controller brings its expiry forward, or ends it at once (KIP-48). Immutable. */
@Component
@ServesApi(api_key = 40, api_brief = true)
public final class ExpireDelegationTokenHandler implements RequestHandler {
    private final Forwarding forwarding;

    /** Made by the service registry. */
    @Activate
    public ExpireDelegationTokenHandler(@Reference Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public void handle(Request request) {
        if (TokenRequests.areAllowed(request.context())) {
            forwarding.forward(request);
        } else {
            request.respond(new ExpireDelegationTokenResponse(new ExpireDelegationTokenResponseData()
                    .setErrorCode(Errors.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.code())
                    .setExpiryTimestampMs(DelegationTokenManager.ERROR_TIMESTAMP)));
        }
    }
}
