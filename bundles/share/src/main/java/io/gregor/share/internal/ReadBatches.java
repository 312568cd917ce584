package io.gregor.share.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.server.storage.log.FetchPartitionData;

/** Looks at the headers of what was read; records stay where they are, in the log's files. Immutable. */
final class ReadBatches {
    private ReadBatches() {}

    /**
     * The batches that were read, in order; those that members are not to see are marked.
     *
     * @param enough after so many offsets the rest is not looked at
     */
    static List<ReadBatch> of(FetchPartitionData read, long enough) {
        Queue<AbortedTransaction> begun = aborted(read);
        Set<Long> aborting = new HashSet<>();
        List<ReadBatch> batches = new ArrayList<>();
        int position = 0;
        long offsets = 0;
        for (RecordBatch batch : read.records.batches()) {
            while (!begun.isEmpty() && begun.peek().firstOffset() <= batch.lastOffset()) {
                aborting.add(begun.remove().producerId());
            }
            boolean isControl = batch.isControlBatch();
            boolean isAborted = batch.isTransactional() && aborting.contains(batch.producerId());
            if (isControl) {
                aborting.remove(batch.producerId());
            }
            int size = batch.sizeInBytes();
            batches.add(
                    new ReadBatch(batch.baseOffset(), batch.lastOffset(), position, size, !isControl && !isAborted));
            position += size;
            offsets += batch.lastOffset() - batch.baseOffset() + 1;
            if (offsets >= enough) {
                break;
            }
        }
        return batches;
    }

    private static Queue<AbortedTransaction> aborted(FetchPartitionData read) {
        Queue<AbortedTransaction> ordered =
                new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
        read.abortedTransactions.ifPresent(ordered::addAll);
        return ordered;
    }

    /** The part of what was read that has the acquired records, in whole batches; a slice, not a copy. */
    static Records slice(Records records, List<ReadBatch> batches, Acquired acquired) {
        int from = -1;
        int to = 0;
        for (ReadBatch batch : batches) {
            if (batch.last() >= acquired.first() && batch.first() <= acquired.last()) {
                from = from < 0 ? batch.position() : from;
                to = batch.position() + batch.sizeBytes();
            }
        }
        return from <= 0 && to == records.sizeInBytes()
                ? records
                : records.slice(Math.max(from, 0), to - Math.max(from, 0));
    }
}
