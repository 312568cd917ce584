package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadBatchesTest {
    private static final long ABORTING = 8;
    private static final long COMMITTING = 9;
    private static final int ALL = Integer.MAX_VALUE;

    @TempDir
    private Path directory;

    private TestLog log;

    @BeforeEach
    void open() throws IOException {
        log = new TestLog(directory, "t");
    }

    @AfterEach
    void close() {
        log.log().close();
    }

    @Test
    void marksWhatMembersThatReadCommittedAreNotToSee() throws IOException {
        log.transact(ABORTING, 0, 2);
        log.transact(COMMITTING, 0, 3);
        log.append(1);
        log.transact(ABORTING, 2, 1);
        log.mark(ABORTING, ControlRecordType.ABORT);
        log.mark(COMMITTING, ControlRecordType.COMMIT);
        log.transact(ABORTING, 3, 2);
        log.mark(ABORTING, ControlRecordType.COMMIT);

        assertThat(batches(0, FetchIsolation.TXN_COMMITTED, ALL))
                .isEqualTo("(0-1) 2-4 5-5 (6-6) (7-7) (8-8) 9-10 (11-11)");
        assertThat(batches(0, FetchIsolation.HIGH_WATERMARK, ALL))
                .isEqualTo("0-1 2-4 5-5 6-6 (7-7) (8-8) 9-10 (11-11)");
    }

    @Test
    void knowsOfATransactionThatBeganBeforeWhatIsRead() throws IOException {
        log.transact(ABORTING, 0, 2);
        log.transact(ABORTING, 2, 2);
        log.mark(ABORTING, ControlRecordType.ABORT);

        assertThat(batches(2, FetchIsolation.TXN_COMMITTED, ALL)).isEqualTo("(2-3) (4-4)");
    }

    @Test
    void looksAtNoMoreThanIsEnough() throws IOException {
        log.append(2);
        log.append(3);
        log.append(4);

        assertThat(batches(0, FetchIsolation.HIGH_WATERMARK, 2)).isEqualTo("0-1");
        assertThat(batches(0, FetchIsolation.HIGH_WATERMARK, 3)).isEqualTo("0-1 2-4");
    }

    @Test
    void slicesTheBatchesThatHaveAcquiredRecords() throws IOException {
        for (int i = 0; i < 5; i++) {
            log.append(2);
        }
        FetchPartitionData read = log.read(0, ALL, FetchIsolation.HIGH_WATERMARK);
        List<ReadBatch> batches = ReadBatches.of(read, ALL);

        assertThat(offsets(ReadBatches.slice(read.records, batches, acquired(3, 3))))
                .containsExactly(2L);
        assertThat(offsets(ReadBatches.slice(read.records, batches, acquired(3, 6))))
                .containsExactly(2L, 4L, 6L);
        assertThat(offsets(ReadBatches.slice(read.records, batches, acquired(8, 9))))
                .containsExactly(8L);
    }

    @Test
    void isTheSameRecordsWhenAllBatchesHaveAcquiredOnes() throws IOException {
        log.append(2);
        log.append(2);
        FetchPartitionData read = log.read(0, ALL, FetchIsolation.HIGH_WATERMARK);

        assertThat(ReadBatches.slice(read.records, ReadBatches.of(read, ALL), acquired(1, 2)))
                .isSameAs(read.records);
    }

    private static Acquired acquired(long first, long last) {
        Acquired acquired = new Acquired(100);
        acquired.add(first, last, 1);
        return acquired;
    }

    private static List<Long> offsets(Records records) {
        return StreamSupport.stream(records.batches().spliterator(), false)
                .map(RecordBatch::baseOffset)
                .toList();
    }

    /** What is not for members is in brackets. */
    private String batches(long from, FetchIsolation isolation, long enough) {
        return String.join(
                " ",
                ReadBatches.of(log.read(from, ALL, isolation), enough).stream()
                        .map(batch -> batch.isForMembers()
                                ? batch.first() + "-" + batch.last()
                                : "(" + batch.first() + "-" + batch.last() + ")")
                        .toList());
    }
}
