package io.gregor.metadata;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.metadata.internal.RaftRequests;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.FetchSnapshotResponseData;
import org.apache.kafka.common.requests.FetchSnapshotRequest;
import org.apache.kafka.common.requests.FetchSnapshotResponse;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Serves snapshots of the metadata log to voters and observers that are far behind. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 59, role = "controller", api_brief = true)
public final class FetchSnapshotHandler implements RequestHandler {
    private final RaftRequests requests;

    /** Hands requests to this Raft client. */
    @Activate
    public FetchSnapshotHandler(
            @Reference RaftManager<ApiMessageAndVersion> raft,
            @Reference(target = "(role=controller)") Authorization authorization) {
        requests = new RaftRequests(raft, authorization);
    }

    @Override
    public void handle(Request request) {
        requests.handle(
                request,
                AclOperation.CLUSTER_ACTION,
                FetchSnapshotRequest.class,
                FetchSnapshotResponseData.class,
                FetchSnapshotResponse::new);
    }
}
