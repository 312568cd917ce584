package io.gregor.transactions;

import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.internal.transactions.TransactionVerification;
import io.gregor.transactions.internal.BatchVerification;
import io.gregor.transactions.internal.NearCoordinator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.transaction.AddPartitionsToTxnConfig;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Verification of what is appended to this broker's partitions, as a service. Shared: any thread. */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        property = "role=broker")
public final class BrokerVerification implements TransactionVerification {
    private final AddPartitionsToTxnManager others;
    private final BatchVerification verification;

    /** Starts the thread that asks coordinators. */
    @Activate
    public BrokerVerification(
            @Reference NodeConfig config,
            @Reference Logs logs,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") TransactionCoordinator coordinator,
            @Reference BrokerClients clients,
            @Reference(target = "(view=applied)") KRaftMetadataCache metadata) {
        this.others = EngineThread.call(() -> new AddPartitionsToTxnManager(
                config.values(),
                clients.open("AddPartitionsManager"),
                metadata,
                coordinator::partitionFor,
                Time.SYSTEM));
        AddPartitionsToTxnConfig retry = new AddPartitionsToTxnConfig(config.values());
        this.verification = new BatchVerification(
                replicas,
                new NearCoordinator(coordinator, replicas::isLeader, others::addOrVerifyTransaction, Time.SYSTEM),
                logs.manager().producerStateManagerConfig(),
                logs.scheduler(),
                Time.SYSTEM,
                new BatchVerification.Retry(
                        retry.addPartitionsToTxnRetryBackoffMs(),
                        Math.min(
                                retry.addPartitionsToTxnRetryBackoffMaxMs(),
                                config.values().requestTimeoutMs())));
        EngineThread.run(others::start);
    }

    @Override
    public CompletableFuture<Verified> verify(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, Integer> firstSequences,
            TransactionSupportedOperation operation) {
        return verification.verify(transactionalId, producerId, producerEpoch, firstSequences, operation);
    }

    /** Ends the thread that asks coordinators. */
    @Deactivate
    public void stop() {
        EngineThread.run(() -> {
            try {
                others.shutdown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
