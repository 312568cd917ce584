package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.requests.ControllerRegistrationRequest;
import org.apache.kafka.common.requests.ControllerRegistrationResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Takes the registrations of the controllers. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 70, role = "controller", api_brief = true)
public final class ControllerRegistrationHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public ControllerRegistrationHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.CLUSTER_ACTION);
        ControllerRegistrationRequest body = request.body(ControllerRegistrationRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().registerController(ControllerCalls.context(request), body.data()),
                nothing -> new ControllerRegistrationResponse(new ControllerRegistrationResponseData()));
    }
}
