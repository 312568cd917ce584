package io.gregor.share.internal;

import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.dlq.ShareGroupDLQRecordParameter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has Kafka's keeper of dead letters keep those of one share partition (KIP-1191). Immutable.
 *
 * @param onBuried is told when it has, or could not: they are not given out again in either case
 */
record Burials(SharePartitionKey key, ShareGroupDLQManager keeper, Consumer<StateChange.DeadLetters> onBuried) {
    private static final Logger LOGGER = LoggerFactory.getLogger(Burials.class);

    @SuppressWarnings("FutureReturnValueIgnored") // buried(...) is told of faults, and has none
    void bury(StateChange.DeadLetters dead) {
        keeper.enqueue(new ShareGroupDLQRecordParameter(
                        key.groupId(),
                        key.topicIdPartition(),
                        dead.first(),
                        dead.last(),
                        Optional.of(dead.deliveryCount()),
                        Optional.of(dead.cause())))
                .whenComplete((buried, fault) -> buried(dead, fault));
    }

    private void buried(StateChange.DeadLetters dead, @Nullable Throwable fault) {
        if (fault != null) {
            LOGGER.warn(
                    "dead letters lost: {} firstOffset={} lastOffset={}: {}",
                    key,
                    dead.first(),
                    dead.last(),
                    fault.getMessage());
        }
        onBuried.accept(dead);
    }
}
