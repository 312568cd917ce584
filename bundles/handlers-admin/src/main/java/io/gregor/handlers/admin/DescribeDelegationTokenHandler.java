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

/** DescribeDelegationToken: the tokens, with their secrets, that the one who asks may see (KIP-48). Immutable. */
@Component
@ServesApi(api_key = 41)
public final class DescribeDelegationTokenHandler implements RequestHandler {
    private final TokenDescription description;

    /** Made by the service registry. */
    @Activate
    public DescribeDelegationTokenHandler(
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference DelegationTokenManager tokens) {
        description = new TokenDescription(authorization, tokens);
    }

    @Override
    public void handle(Request request) {
        description.respond(request);
    }
}
