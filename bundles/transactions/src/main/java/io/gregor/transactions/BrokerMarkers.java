package io.gregor.transactions;

import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionMarkers;
import io.gregor.transactions.internal.LocalMarkers;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Markers in the partitions of this broker, as a service. Shared: any thread. */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        property = "role=broker")
public final class BrokerMarkers implements TransactionMarkers {
    private final LocalMarkers markers;

    /** Followers are waited for as long as for any request. */
    @Activate
    public BrokerMarkers(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") GroupCoordinator groups) {
        this.markers = new LocalMarkers(replicas, groups, config.values().requestTimeoutMs());
    }

    @Override
    public CompletableFuture<Map<TopicPartition, Errors>> append(TxnMarkerEntry marker) {
        return markers.append(marker);
    }
}
