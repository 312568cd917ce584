package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import io.gregor.testing.Fake;
import io.gregor.transactions.internal.BatchVerification.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.AppendCallback;
import org.apache.kafka.server.transaction.AddPartitionsToTxnManager.TransactionSupportedOperation;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchVerificationTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final TopicPartition ELSEWHERE = new TopicPartition("t", 1);
    private static final long PRODUCER = 9;
    private static final Retry RETRY = new Retry(20, 100);

    private final ProducerStateManagerConfig settings = new ProducerStateManagerConfig(TestLog.EXPIRATION_MS, true);
    private final List<AppendCallback> asked = new ArrayList<>();
    private final List<Runnable> scheduled = new ArrayList<>();
    private long nowMs;
    private UnifiedLog log;
    private BatchVerification verification;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        log = TestLog.open(directory, settings);
        Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "log" -> arguments[0].equals(PARTITION) ? Optional.of(log) : Optional.empty();
            case "isLeader" -> true;
            default -> throw Fake.unexpected(method.getName());
        });
        verification = new BatchVerification(
                replicas,
                (id, producer, epoch, partitions, refused, operation) -> asked.add(refused),
                settings,
                TestLog.scheduler(scheduled),
                Fake.of(Time.class, (proxy, method, arguments) -> nowMs),
                RETRY);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private CompletableFuture<Verified> verify(TransactionSupportedOperation operation, TopicPartition... partitions) {
        Map<TopicPartition, Integer> sequences = new HashMap<>();
        for (TopicPartition partition : partitions) {
            sequences.put(partition, 0);
        }
        return verification.verify("id", PRODUCER, (short) 0, sequences, operation);
    }

    private void append(VerificationGuard guard) {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE, PRODUCER, (short) 0, 0, new SimpleRecord("a".getBytes(StandardCharsets.UTF_8)));
        log.appendAsLeader(records, 0, AppendOrigin.CLIENT, RequestLocal.noCaching(), guard, (short) 0);
    }

    @Test
    void whatTheCoordinatorConfirmsIsAppendedWithTheGuard() {
        CompletableFuture<Verified> verified = verify(TransactionSupportedOperation.GENERIC_ERROR_SUPPORTED, PARTITION);
        assertThat(verified).isNotDone();

        asked.get(0).complete(Map.of());

        assertThat(verified.join().errors()).isEmpty();
        assertThatThrownBy(() -> append(VerificationGuard.SENTINEL)).isInstanceOf(InvalidTxnStateException.class);
        append(verified.join().guards().get(PARTITION));
        assertThat(log.logEndOffset()).isEqualTo(1);
    }

    @Test
    void aTransactionThatTheLogKnowsIsNotAskedFor() {
        CompletableFuture<Verified> first = verify(TransactionSupportedOperation.ADD_PARTITION, PARTITION);
        asked.get(0).complete(Map.of());
        append(first.join().guards().get(PARTITION));

        CompletableFuture<Verified> second = verify(TransactionSupportedOperation.ADD_PARTITION, PARTITION);

        assertThat(second.join()).isEqualTo(Verified.NOTHING);
        assertThat(asked).hasSize(1);
    }

    @Test
    void tellsWhatTheCoordinatorRefusesAndWhatIsNotHere() {
        CompletableFuture<Verified> verified =
                verify(TransactionSupportedOperation.GENERIC_ERROR_SUPPORTED, PARTITION, ELSEWHERE);

        asked.get(0).complete(Map.of(PARTITION, Errors.TRANSACTION_ABORTABLE));

        assertThat(verified.join().errors())
                .isEqualTo(
                        Map.of(PARTITION, Errors.TRANSACTION_ABORTABLE, ELSEWHERE, Errors.UNKNOWN_TOPIC_OR_PARTITION));
    }

    @Test
    void asksAgainWhileTheTransactionBeforeIsCompleted() {
        CompletableFuture<Verified> verified = verify(TransactionSupportedOperation.ADD_PARTITION, PARTITION);

        asked.get(0).complete(Map.of(PARTITION, Errors.CONCURRENT_TRANSACTIONS));
        assertThat(verified).isNotDone();
        scheduled.remove(0).run();
        asked.get(1).complete(Map.of());

        assertThat(verified.join().errors()).isEmpty();
    }

    @Test
    void leavesAskingAgainToTheClientAfterAWhileAndToOldClientsAlways() {
        CompletableFuture<Verified> late = verify(TransactionSupportedOperation.ADD_PARTITION, PARTITION);
        nowMs = RETRY.maxMs();
        asked.get(0).complete(Map.of(PARTITION, Errors.CONCURRENT_TRANSACTIONS));
        CompletableFuture<Verified> old = verify(TransactionSupportedOperation.GENERIC_ERROR_SUPPORTED, PARTITION);
        asked.get(1).complete(Map.of(PARTITION, Errors.CONCURRENT_TRANSACTIONS));

        assertThat(late.join().errors()).containsEntry(PARTITION, Errors.CONCURRENT_TRANSACTIONS);
        assertThat(old.join().errors()).containsEntry(PARTITION, Errors.CONCURRENT_TRANSACTIONS);
        assertThat(scheduled).isEmpty();
    }

    @Test
    void verifiesNothingForOldClientsWhenItIsSwitchedOff() {
        settings.setTransactionVerificationEnabled(false);

        assertThat(verify(TransactionSupportedOperation.DEFAULT_ERROR, PARTITION))
                .isCompletedWithValue(Verified.NOTHING);
        assertThat(verify(TransactionSupportedOperation.ADD_PARTITION, PARTITION))
                .isNotDone();
        assertThat(asked).hasSize(1);
    }
}
