package io.gregor.itest.transactions;

import io.gregor.itest.data.DataClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads what is committed in the ledger, while it is written, and keeps a digest of all it saw, which is that of what stands
 * there in the end unless it saw something that was never committed. A thread of its own.
 */
final class LedgerReader implements Runnable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int FACTOR = 31;

    private final DataClients clients;
    private final int partitions;
    private final Map<Integer, Seen> seen = new ConcurrentHashMap<>();
    private volatile boolean isOver;

    /**
     * What was seen of a partition.
     *
     * @param digest of offsets and values, in order
     */
    record Seen(long count, long lastOffset, long digest) {
        static final Seen NOTHING = new Seen(0, -1, 0);

        Seen and(ConsumerRecord<String, String> record) {
            return new Seen(
                    count + 1,
                    record.offset(),
                    FACTOR * (FACTOR * digest + record.offset())
                            + record.value().hashCode());
        }
    }

    LedgerReader(DataClients clients, int partitions) {
        this.clients = clients;
        this.partitions = partitions;
    }

    static Map<String, Object> committedOnly() {
        return Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    }

    void end() {
        isOver = true;
    }

    /** By partition. */
    Map<Integer, Seen> seen() {
        return seen;
    }

    @Override
    public void run() {
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(TransferWorker.LEDGER, partition))
                .toList();
        try (KafkaConsumer<String, String> consumer = clients.consumer(committedOnly())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            while (!isOver) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    seen.merge(record.partition(), Seen.NOTHING.and(record), (before, first) -> before.and(record));
                }
            }
        }
    }
}
