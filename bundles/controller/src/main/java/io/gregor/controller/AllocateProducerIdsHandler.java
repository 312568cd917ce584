package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.AllocateProducerIdsRequest;
import org.apache.kafka.common.requests.AllocateProducerIdsResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Hands blocks of producer ids to brokers. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 67, role = "controller", api_brief = true)
public final class AllocateProducerIdsHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public AllocateProducerIdsHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.CLUSTER_ACTION);
        AllocateProducerIdsRequest body = request.body(AllocateProducerIdsRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().allocateProducerIds(ControllerCalls.context(request), body.data()),
                AllocateProducerIdsResponse::new);
    }
}
