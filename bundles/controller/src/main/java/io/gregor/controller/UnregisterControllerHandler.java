package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.UnregisterControllerResponseData;
import org.apache.kafka.common.requests.UnregisterControllerRequest;
import org.apache.kafka.common.requests.UnregisterControllerResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Takes the registration of a controller that is gone for good out of the cluster. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 94, role = "controller", api_brief = true)
public final class UnregisterControllerHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public UnregisterControllerHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.ALTER);
        UnregisterControllerRequest body = request.body(UnregisterControllerRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller()
                        .unregisterController(
                                ControllerCalls.context(request), body.data().controllerId()),
                nothing -> new UnregisterControllerResponse(new UnregisterControllerResponseData()));
    }
}
