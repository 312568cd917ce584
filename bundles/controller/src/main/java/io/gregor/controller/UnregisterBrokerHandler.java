package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.UnregisterBrokerResponseData;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;
import org.apache.kafka.common.requests.UnregisterBrokerResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Takes a broker that is gone for good out of the cluster. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 64, role = "controller", api_brief = true)
public final class UnregisterBrokerHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public UnregisterBrokerHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.ALTER);
        UnregisterBrokerRequest body = request.body(UnregisterBrokerRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller()
                        .unregisterBroker(
                                ControllerCalls.context(request), body.data().brokerId()),
                nothing -> new UnregisterBrokerResponse(new UnregisterBrokerResponseData()));
    }
}
