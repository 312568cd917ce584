package io.gregor.share.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ShareFetchResponseData.AcquiredRecords;

/** What a member gets of one partition while it is put together. Owned by the lock of its share partition. */
final class Acquired {
    private final int batchSize;
    private final List<AcquiredRecords> ranges = new ArrayList<>();
    private long count;

    /**
     * @param batchSize ranges are joined up to so many records
     */
    Acquired(int batchSize) {
        this.batchSize = batchSize;
    }

    void add(long first, long last, int deliveryCount) {
        count += last - first + 1;
        if (!ranges.isEmpty()) {
            AcquiredRecords before = ranges.get(ranges.size() - 1);
            boolean isContinued = before.lastOffset() + 1 == first
                    && before.deliveryCount() == deliveryCount
                    && last - before.firstOffset() < batchSize;
            if (isContinued) {
                before.setLastOffset(last);
                return;
            }
        }
        ranges.add(
                new AcquiredRecords().setFirstOffset(first).setLastOffset(last).setDeliveryCount((short)
                        deliveryCount));
    }

    long count() {
        return count;
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    long first() {
        return ranges.get(0).firstOffset();
    }

    long last() {
        return ranges.get(ranges.size() - 1).lastOffset();
    }

    List<AcquiredRecords> ranges() {
        return ranges;
    }
}
