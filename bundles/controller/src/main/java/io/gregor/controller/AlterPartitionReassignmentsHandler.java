package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsRequest;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Starts and cancels moves of partitions to other brokers. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 45, role = "controller", api_brief = true)
public final class AlterPartitionReassignmentsHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public AlterPartitionReassignmentsHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.ALTER);
        AlterPartitionReassignmentsRequest body = request.body(AlterPartitionReassignmentsRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller()
                        .alterPartitionReassignments(
                                ControllerCalls.context(request, body.data().timeoutMs()), body.data()),
                AlterPartitionReassignmentsResponse::new);
    }
}
