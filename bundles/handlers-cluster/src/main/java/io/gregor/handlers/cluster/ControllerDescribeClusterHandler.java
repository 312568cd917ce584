package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.cluster.internal.ClusterAnswer;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeIdentity;
import org.apache.kafka.clients.admin.EndpointType;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBrokerCollection;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.ControllerRegistration;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Immutable. Tells the controllers of the cluster, to those who speak to a controller directly (KIP-919). */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 60, role = "controller", api_brief = true)
public final class ControllerDescribeClusterHandler implements RequestHandler {
    private final ServedMetadata metadata;
    private final RaftManager<ApiMessageAndVersion> raft;
    private final Authorization authorization;
    private final ClusterAnswer answer;

    /** Answers for controllers. */
    @Activate
    public ControllerDescribeClusterHandler(
            @Reference(target = "(role=controller)") ServedMetadata metadata,
            @Reference(target = "(role=controller)") Authorization authorization,
            @Reference RaftManager<ApiMessageAndVersion> raft,
            @Reference NodeIdentity identity) {
        this.metadata = metadata;
        this.raft = raft;
        this.authorization = authorization;
        this.answer = new ClusterAnswer(EndpointType.CONTROLLER, identity.clusterId(), authorization);
    }

    @Override
    public void handle(Request request) {
        MetadataImage image = metadata.image();
        MetadataVersion version = image.features()
                .metadataVersion()
                .orElseThrow(
                        () -> new UnsupportedVersionException(
                                "There is no finalized MetadataVersion, so direct-to-controller communication is not supported."));
        if (!version.isControllerRegistrationSupported()) {
            throw new UnsupportedVersionException(
                    "Direct-to-controller communication is not supported with the current MetadataVersion.");
        }
        authorization.requireCluster(request.context(), AclOperation.ALTER);
        answer.respond(
                request,
                () -> controllers(image, request.context().listenerName()),
                () -> raft.client().leaderAndEpoch().leaderId().orElse(MetadataResponse.NO_CONTROLLER_ID));
    }

    private static DescribeClusterBrokerCollection controllers(MetadataImage image, String listener) {
        DescribeClusterBrokerCollection controllers = new DescribeClusterBrokerCollection();
        for (ControllerRegistration controller : image.cluster().controllers().values()) {
            Endpoint endpoint = controller.listeners().get(listener);
            if (endpoint != null) {
                controllers.add(new DescribeClusterBroker()
                        .setBrokerId(controller.id())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port()));
            }
        }
        return controllers;
    }
}
