package io.gregor.groups;

import io.gregor.internal.node.Configurations;
import io.gregor.internal.transactions.TransactionVerification;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Verification that comes after the group coordinator, as transactions end in it and so need it first. Until it is there clients
 * are told that there is no coordinator yet, and ask again. Shared: any thread.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = LateVerification.class)
public final class LateVerification implements TransactionVerification {
    private volatile @Nullable TransactionVerification current;

    /** It is there. */
    @Reference(
            target = "(role=broker)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bind(TransactionVerification verification) {
        current = verification;
    }

    /** It has left, unless another has come. */
    void unbind(TransactionVerification verification) {
        if (current == verification) {
            current = null;
        }
    }

    @Override
    public CompletableFuture<Verified> verify(
            String transactionalId,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, Integer> firstSequences,
            TransactionSupportedOperation operation) {
        TransactionVerification verification = current;
        return verification == null
                ? CompletableFuture.completedFuture(nobody(firstSequences))
                : verification.verify(transactionalId, producerId, producerEpoch, firstSequences, operation);
    }

    private static Verified nobody(Map<TopicPartition, Integer> partitions) {
        return new Verified(
                Map.of(),
                partitions.keySet().stream()
                        .collect(Collectors.toMap(one -> one, one -> Errors.COORDINATOR_NOT_AVAILABLE)));
    }
}
