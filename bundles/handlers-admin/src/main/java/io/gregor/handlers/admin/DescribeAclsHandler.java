package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.AclsAnswer;
import io.gregor.internal.dispatch.Authorization;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeAcls: the ACLs that match a filter, as this broker applies them. Immutable. */
@Component
@ServesApi(api_key = 29)
public final class DescribeAclsHandler implements RequestHandler {
    private final AclsAnswer answer;

    /** Made by the service registry. */
    @Activate
    public DescribeAclsHandler(@Reference(target = "(role=broker)") Authorization authorization) {
        answer = new AclsAnswer(authorization);
    }

    @Override
    public void handle(Request request) {
        answer.respond(request);
    }
}
