package io.gregor.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.replication.Replicas;
import io.gregor.testing.Fake;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.junit.jupiter.api.Test;

class ReplicaWriterTest {
    private static final TopicPartition PARTITION = new TopicPartition("__consumer_offsets", 3);

    private final Set<Object> watching = new HashSet<>();
    private final ReplicaWriter writer = new ReplicaWriter(replicas());

    @Test
    void takesTheSameListenerOutAgain() {
        PartitionWriter.Listener listener = (partition, offset) -> {};
        writer.registerListener(PARTITION, listener);
        assertThat(watching).hasSize(1);

        writer.deregisterListener(PARTITION, listener);

        assertThat(watching).isEmpty();
    }

    @Test
    void refusesToAppendToAPartitionThatIsNotHere() {
        assertThatThrownBy(() -> writer.append(PARTITION, VerificationGuard.SENTINEL, MemoryRecords.EMPTY, (short) 0))
                .isInstanceOf(NotLeaderOrFollowerException.class);
        assertThatThrownBy(() -> writer.config(PARTITION)).isInstanceOf(NotLeaderOrFollowerException.class);
    }

    @Test
    void verifiesNothingWithoutATransactionAndRefusesOne() {
        assertThat(writer.maybeStartTransactionVerification(PARTITION, "", -1L, (short) -1, 5))
                .isCompletedWithValue(VerificationGuard.SENTINEL);
        assertThat(writer.maybeStartTransactionVerification(PARTITION, "t", 7L, (short) 0, 5))
                .isCompletedExceptionally()
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withCauseInstanceOf(UnsupportedVersionException.class);
    }

    private Replicas replicas() {
        return Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "log" -> Optional.empty();
            case "watch" -> watching.add(arguments[1]);
            case "unwatch" -> watching.remove(arguments[1]);
            default -> throw Fake.unexpected(method.getName());
        });
    }
}
