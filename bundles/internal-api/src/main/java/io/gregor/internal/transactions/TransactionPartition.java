package io.gregor.internal.transactions;

import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/** The partition of {@code __transaction_state} that a transactional id belongs to: its leader is the coordinator. Immutable. */
public final class TransactionPartition {
    private TransactionPartition() {}

    /**
     * As the metadata has it, for those who look for the coordinator.
     *
     * @param configured {@code transaction.state.log.num.partitions}: how many there will be while the topic is not there
     */
    public static int of(String transactionalId, MetadataImage image, int configured) {
        TopicImage topic = image.topics().getTopic(Topic.TRANSACTION_STATE_TOPIC_NAME);
        return of(
                transactionalId, topic == null ? configured : topic.partitions().size());
    }

    /** Of a topic with this many partitions, at least one. */
    public static int of(String transactionalId, int partitions) {
        return Utils.abs(transactionalId.hashCode()) % partitions;
    }
}
