package io.gregor.metadata;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.metadata.internal.RaftRequests;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.BeginQuorumEpochResponseData;
import org.apache.kafka.common.requests.BeginQuorumEpochRequest;
import org.apache.kafka.common.requests.BeginQuorumEpochResponse;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Hears from a newly elected leader of the quorum. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 53, role = "controller", api_brief = true)
public final class BeginQuorumEpochHandler implements RequestHandler {
    private final RaftRequests requests;

    /** Hands requests to this Raft client. */
    @Activate
    public BeginQuorumEpochHandler(
            @Reference RaftManager<ApiMessageAndVersion> raft,
            @Reference(target = "(role=controller)") Authorization authorization) {
        requests = new RaftRequests(raft, authorization);
    }

    @Override
    public void handle(Request request) {
        requests.handle(
                request,
                AclOperation.CLUSTER_ACTION,
                BeginQuorumEpochRequest.class,
                BeginQuorumEpochResponseData.class,
                BeginQuorumEpochResponse::new);
    }
}
