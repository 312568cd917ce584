package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Records;
import org.jspecify.annotations.Nullable;

/** What a member gets of partitions 0. Owned by the test's thread. */
final class TestAnswer {
    private final List<Map<TopicIdPartition, PartitionData>> given = new ArrayList<>();
    private @Nullable Runnable endOfWait;

    void waits(@Nullable Runnable endsWith) {
        endOfWait = endsWith;
    }

    void take(Map<TopicIdPartition, PartitionData> answer) {
        given.add(answer);
    }

    boolean isGiven() {
        return !given.isEmpty();
    }

    void hurry() {
        Objects.requireNonNull(endOfWait).run();
    }

    /** By topic, the errors or the acquired records with their delivery counts. */
    String get() {
        assertThat(given).hasSize(1);
        return String.join(
                " ",
                given.get(0).entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(
                                (one, other) -> one.topic().compareTo(other.topic())))
                        .map(one -> one.getKey().topic() + ":" + describe(one.getValue()))
                        .toList());
    }

    private static String describe(PartitionData data) {
        Stream<String> acquired = data.acquiredRecords().stream()
                .map(range -> range.firstOffset() + "-" + range.lastOffset() + "x" + range.deliveryCount());
        return data.errorCode() == Errors.NONE.code()
                ? String.join(",", acquired.toList())
                : Errors.forCode(data.errorCode()).name();
    }

    int batches(String topic) {
        int count = 0;
        for (Map.Entry<TopicIdPartition, PartitionData> one : given.get(0).entrySet()) {
            if (one.getKey().topic().equals(topic)) {
                for (Object batch : ((Records) one.getValue().records()).batches()) {
                    count += batch == null ? 0 : 1;
                }
            }
        }
        return count;
    }
}
