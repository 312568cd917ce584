package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.requests.BrokerRegistrationResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Takes the registrations of brokers. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 62, role = "controller", api_brief = true)
public final class BrokerRegistrationHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public BrokerRegistrationHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.CLUSTER_ACTION);
        BrokerRegistrationRequest body = request.body(BrokerRegistrationRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().registerBroker(ControllerCalls.context(request), body.data()),
                reply -> new BrokerRegistrationResponse(
                        new BrokerRegistrationResponseData().setBrokerEpoch(reply.epoch())));
    }
}
