package io.gregor.dispatch.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;
import org.apache.kafka.server.config.ServerConfigs;

/**
 * What an authorizer learns about the node: its listeners as they are configured, those of the broker before those of the
 * controller. Immutable.
 */
public record NodeServerInfo(
        ClusterResource clusterResource,
        int brokerId,
        Collection<Endpoint> endpoints,
        Endpoint interBrokerEndpoint,
        Collection<String> earlyStartListeners)
        implements AuthorizerServerInfo {
    /** Of a node; without a broker its first controller listener stands for the one between brokers, as in Kafka. */
    public static NodeServerInfo of(NodeConfig config, NodeIdentity identity) {
        List<Endpoint> all = new ArrayList<>(config.listeners(Role.BROKER));
        all.addAll(config.listeners(Role.CONTROLLER));
        String interBroker = config.interBrokerListener().value();
        Endpoint between = all.stream()
                .filter(endpoint -> endpoint.listener().equals(interBroker))
                .findFirst()
                .orElse(all.get(0));
        return new NodeServerInfo(
                new ClusterResource(identity.clusterId()), config.nodeId(), all, between, early(config));
    }

    private static List<String> early(NodeConfig config) {
        List<String> named = config.values().getList(ServerConfigs.EARLY_START_LISTENERS_CONFIG);
        return named != null
                ? named
                : config.controllerListeners().stream().map(ListenerName::value).toList();
    }
}
