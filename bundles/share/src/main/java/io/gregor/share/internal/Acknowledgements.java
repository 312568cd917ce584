package io.gregor.share.internal;

import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;

/** Looks at acknowledgements before they count. Immutable. */
final class Acknowledgements {
    private Acknowledgements() {}

    /** Takes offsets that are acknowledged in one way. */
    interface Taker {
        void take(long first, long last, byte type);
    }

    /** The parts of a batch that are acknowledged in one way each. */
    static void byType(ShareAcknowledgementBatch batch, Taker taker) {
        List<Byte> types = batch.acknowledgeTypes();
        if (types.size() == 1) {
            taker.take(batch.firstOffset(), batch.lastOffset(), types.get(0));
            return;
        }
        int from = 0;
        for (int i = 1; i <= types.size(); i++) {
            if (i == types.size() || !types.get(i).equals(types.get(from))) {
                taker.take(batch.firstOffset() + from, batch.firstOffset() + i - 1, types.get(from));
                from = i;
            }
        }
    }

    /** Throws if an offset is acknowledged twice. */
    static void requireApart(List<ShareAcknowledgementBatch> batches) {
        long next = 0;
        for (ShareAcknowledgementBatch batch : batches.stream()
                .sorted(Comparator.comparingLong(ShareAcknowledgementBatch::firstOffset))
                .toList()) {
            if (batch.firstOffset() < next) {
                throw notHeld(batch);
            }
            next = batch.lastOffset() + 1;
        }
    }

    /**
     * Throws if the member does not have every record of the batch; those before the start of the share partition may be
     * gone.
     */
    static void requireHeld(Runs runs, String member, ShareAcknowledgementBatch batch, long start, long end) {
        if (batch.lastOffset() > end) {
            throw new InvalidRequestException("the acknowledged offsets " + batch.firstOffset() + " to "
                    + batch.lastOffset() + " are beyond the last acquired offset " + end);
        }
        long position = batch.firstOffset();
        for (Run run : runs.touching(batch.firstOffset(), batch.lastOffset())) {
            boolean isHole = run.first() > Math.max(position, start);
            if (isHole || !run.isHeldBy(member)) {
                throw notHeld(batch);
            }
            position = run.last() + 1;
        }
        if (batch.lastOffset() >= Math.max(position, start)) {
            throw notHeld(batch);
        }
    }

    private static InvalidRecordStateException notHeld(ShareAcknowledgementBatch batch) {
        return new InvalidRecordStateException(
                "the member has not acquired all offsets from " + batch.firstOffset() + " to " + batch.lastOffset());
    }
}
