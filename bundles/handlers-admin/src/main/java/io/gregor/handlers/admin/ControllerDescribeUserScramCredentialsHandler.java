package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.ScramDescription;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeUserScramCredentials for those who speak to a controller directly (KIP-919). Immutable. */
@Component
@ServesApi(api_key = 50, role = "controller")
public final class ControllerDescribeUserScramCredentialsHandler implements RequestHandler {
    private final ScramDescription description;

    /** Made by the service registry. */
    @Activate
    public ControllerDescribeUserScramCredentialsHandler(
            @Reference(target = "(role=controller)") Authorization authorization,
            @Reference(target = "(role=controller)") ServedMetadata metadata) {
        description = new ScramDescription(authorization, metadata);
    }

    @Override
    public void handle(Request request) {
        description.respond(request);
    }
}
