package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.BrokerHeartbeatResponseData;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.BrokerHeartbeatRequest;
import org.apache.kafka.common.requests.BrokerHeartbeatResponse;
import org.apache.kafka.metadata.BrokerHeartbeatReply;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Takes the heartbeats of brokers, and tells them whether they are fenced. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 63, role = "controller", api_brief = true)
public final class BrokerHeartbeatHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final int deadlineMs;

    /** Asks the controller through these calls; an answer later than half a heartbeat interval is of no use. */
    @Activate
    public BrokerHeartbeatHandler(@Reference ControllerCalls calls, @Reference NodeConfig config) {
        this.calls = calls;
        deadlineMs = config.values().brokerHeartbeatIntervalMs() / 2;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.CLUSTER_ACTION);
        BrokerHeartbeatRequest body = request.body(BrokerHeartbeatRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller().processBrokerHeartbeat(ControllerCalls.context(request, deadlineMs), body.data()),
                BrokerHeartbeatHandler::response);
    }

    private static AbstractResponse response(BrokerHeartbeatReply reply) {
        return new BrokerHeartbeatResponse(new BrokerHeartbeatResponseData()
                .setIsCaughtUp(reply.isCaughtUp())
                .setIsFenced(reply.isFenced())
                .setShouldShutDown(reply.shouldShutDown()));
    }
}
