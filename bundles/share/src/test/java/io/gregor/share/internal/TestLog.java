package io.gregor.share.internal;

import io.gregor.testing.Fake;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** A log of Kafka's in a test's directory, of which all is visible. Owned by the test's thread. */
final class TestLog {
    private static final int EXPIRATION_MS = 86_400_000;
    private static final int TRANSACTION_TIMEOUT_MS = 900_000;

    private final TopicIdPartition partition;
    private final UnifiedLog log;

    /** Partition 0 of a topic; nothing is done in the background. */
    TestLog(Path directory, String topic) throws IOException {
        Uuid id = Uuid.randomUuid();
        partition = new TopicIdPartition(id, 0, topic);
        log = UnifiedLog.create(
                Files.createDirectory(directory.resolve(topic + "-0")).toFile(),
                new LogConfig(new Properties()),
                0,
                0,
                Fake.of(
                        Scheduler.class,
                        (proxy, method, arguments) -> Fake.of(ScheduledFuture.class, (future, asked, with) -> true)),
                new BrokerTopicStats(),
                Time.SYSTEM,
                TRANSACTION_TIMEOUT_MS,
                new ProducerStateManagerConfig(EXPIRATION_MS, false),
                EXPIRATION_MS,
                new LogDirFailureChannel(1),
                true,
                Optional.of(id));
    }

    TopicIdPartition partition() {
        return partition;
    }

    UnifiedLog log() {
        return log;
    }

    /** One batch of so many records. */
    void append(int records) throws IOException {
        append(MemoryRecords.withRecords(Compression.NONE, records(records)), AppendOrigin.CLIENT);
    }

    /** One batch of a producer's transaction. */
    void transact(long producer, int sequence, int records) throws IOException {
        append(
                MemoryRecords.withTransactionalRecords(
                        Compression.NONE, producer, (short) 0, sequence, records(records)),
                AppendOrigin.CLIENT);
    }

    /** The end of a producer's transaction. */
    void mark(long producer, ControlRecordType end) throws IOException {
        append(
                MemoryRecords.withEndTransactionMarker(producer, (short) 0, new EndTransactionMarker(end, 0)),
                AppendOrigin.COORDINATOR);
    }

    private void append(MemoryRecords records, AppendOrigin origin) throws IOException {
        log.appendAsLeader(records, 0, origin, RequestLocal.noCaching(), VerificationGuard.SENTINEL, (short) 0);
        log.updateHighWatermark(log.logEndOffset());
    }

    private static SimpleRecord[] records(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new SimpleRecord(Integer.toString(number).getBytes(StandardCharsets.UTF_8)))
                .toArray(SimpleRecord[]::new);
    }

    /** What a fetch reads. */
    FetchPartitionData read(long offset, int maxBytes, FetchIsolation isolation) {
        try {
            FetchDataInfo read = log.read(offset, maxBytes, isolation, true);
            return read(Errors.NONE, read.records, read.abortedTransactions);
        } catch (KafkaStorageException closed) {
            return read(Errors.KAFKA_STORAGE_ERROR, MemoryRecords.EMPTY, Optional.empty());
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    /** What a fetch reads if it reads this. */
    FetchPartitionData read(Records records) {
        return read(Errors.NONE, records, Optional.empty());
    }

    private FetchPartitionData read(Errors error, Records records, Optional<List<AbortedTransaction>> aborted) {
        return new FetchPartitionData(
                error,
                log.highWatermark(),
                log.logStartOffset(),
                records,
                Optional.empty(),
                OptionalLong.of(log.lastStableOffset()),
                aborted,
                OptionalInt.empty(),
                false);
    }
}
