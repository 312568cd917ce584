package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.AclsAnswer;
import io.gregor.internal.dispatch.Authorization;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeAcls for those who speak to a controller directly (KIP-919). Immutable. */
@Component
@ServesApi(api_key = 29, role = "controller")
public final class ControllerDescribeAclsHandler implements RequestHandler {
    private final AclsAnswer answer;

    /** Made by the service registry. */
    @Activate
    public ControllerDescribeAclsHandler(@Reference(target = "(role=controller)") Authorization authorization) {
        answer = new AclsAnswer(authorization);
    }

    @Override
    public void handle(Request request) {
        answer.respond(request);
    }
}
