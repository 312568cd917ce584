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
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBrokerCollection;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.metadata.MetadataCache;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Immutable. Tells the brokers of the cluster. */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 60, api_brief = true)
public final class DescribeClusterHandler implements RequestHandler {
    private final ServedMetadata metadata;
    private final ClusterAnswer answer;

    /** Answers for brokers. */
    @Activate
    public DescribeClusterHandler(
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference NodeIdentity identity) {
        this.metadata = metadata;
        this.answer = new ClusterAnswer(EndpointType.BROKER, identity.clusterId(), authorization);
    }

    @Override
    public void handle(Request request) {
        MetadataCache cache = metadata.cache();
        answer.respond(request, () -> brokers(request, cache), () -> cache.getRandomAliveBrokerId()
                .orElse(MetadataResponse.NO_CONTROLLER_ID));
    }

    private static DescribeClusterBrokerCollection brokers(Request request, MetadataCache cache) {
        boolean withFenced = request.body(DescribeClusterRequest.class).data().includeFencedBrokers();
        DescribeClusterBrokerCollection brokers = new DescribeClusterBrokerCollection();
        for (Node node : cache.getBrokerNodes(request.context().listenerName)) {
            if (withFenced || !node.isFenced()) {
                brokers.add(new DescribeClusterBroker()
                        .setBrokerId(node.id())
                        .setHost(node.host())
                        .setPort(node.port())
                        .setRack(node.rack())
                        .setIsFenced(node.isFenced()));
            }
        }
        return brokers;
    }
}
