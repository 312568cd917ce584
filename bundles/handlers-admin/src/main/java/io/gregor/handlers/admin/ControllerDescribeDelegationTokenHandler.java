package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.TokenDescription;
import io.gregor.internal.dispatch.Authorization;
import org.apache.kafka.security.DelegationTokenManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeDelegationToken for those who speak to a controller directly (KIP-919). Immutable. */
@Component
@ServesApi(api_key = 41, role = "controller")
public final class ControllerDescribeDelegationTokenHandler implements RequestHandler {
    private final TokenDescription description;

    /** Made by the service registry. */
    @Activate
    public ControllerDescribeDelegationTokenHandler(
            @Reference(target = "(role=controller)") Authorization authorization,
            @Reference DelegationTokenManager tokens) {
        description = new TokenDescription(authorization, tokens);
    }

    @Override
    public void handle(Request request) {
        description.respond(request);
    }
}
