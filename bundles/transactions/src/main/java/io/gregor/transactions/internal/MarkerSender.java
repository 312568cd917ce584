package io.gregor.transactions.internal;

import io.gregor.internal.transactions.TransactionMarkers;
import io.gregor.transactions.internal.Leaders.Leader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a decision to all partitions of its transaction, however long it takes, and has it completed then. Partitions that
 * this broker leads get their marker at once, on the calling thread. A transaction has one decision at a time, so there are never
 * more here than transactions. Shared: any thread.
 */
public final class MarkerSender {
    private static final Logger LOGGER = LoggerFactory.getLogger(MarkerSender.class);

    private final int brokerId;
    private final Leaders leaders;
    private final Supplier<@Nullable TransactionMarkers> here;
    private final Delivery elsewhere;
    private final Map<String, PendingMarkers> pending = new ConcurrentHashMap<>();
    private final AtomicInteger unknownDestinations = new AtomicInteger();
    private final AtomicInteger completionsToRetry = new AtomicInteger();

    /** What came of writing that a transaction is complete. */
    enum Completion {
        /** It is written, or the coordinator is another. */
        OVER,
        /** It could not be written now. */
        AGAIN
    }

    /**
     * Sends nothing yet.
     *
     * @param here the partitions of this broker; null while they are not there
     */
    public MarkerSender(
            int brokerId, Leaders leaders, Supplier<@Nullable TransactionMarkers> here, Delivery elsewhere) {
        this.brokerId = brokerId;
        this.leaders = leaders;
        this.here = here;
        this.elsewhere = elsewhere;
    }

    /** Writes that a transaction is complete; never ends with an exception. */
    interface Completing {
        CompletableFuture<Completion> complete(Ending ended);
    }

    /** Sends the markers of a decision that is in the log, unless they are under way. */
    void send(Ending ending, Completing completing) {
        PendingMarkers markers = new PendingMarkers(ending, completing);
        if (pending.compute(ending.transactionalId(), (id, known) -> newer(known, markers)) != markers) {
            return;
        }
        if (markers.isDone()) {
            complete(markers);
        } else {
            send(markers, markers.missing());
        }
    }

    private static PendingMarkers newer(@Nullable PendingMarkers known, PendingMarkers asked) {
        if (known == null) {
            return asked;
        }
        if (known.ending().isSameDecision(asked.ending().prepared())) {
            return known;
        }
        known.giveUp();
        return asked;
    }

    /** Ends what belongs to a partition of the log that is not this broker's any more. */
    void forget(int partition) {
        pending.values().forEach(markers -> {
            if (markers.ending().partition() == partition) {
                end(markers);
            }
        });
    }

    /** How many decisions wait for a partition to have a leader. */
    public int unknownDestinations() {
        return unknownDestinations.get();
    }

    /** How many decisions are carried out, but could not be written so. */
    public int completionsToRetry() {
        return completionsToRetry.get();
    }

    private void send(PendingMarkers markers, Collection<TopicPartition> partitions) {
        if (markers.isOver()) {
            return;
        }
        Map<Node, List<TopicPartition>> destinations = new HashMap<>();
        List<TopicPartition> leaderless = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Leader leader = leaders.of(partition);
            switch (leader.place()) {
                case GONE -> done(markers, partition);
                case LEADERLESS -> leaderless.add(partition);
                case LED ->
                    destinations
                            .computeIfAbsent(leader.node(), node -> new ArrayList<>())
                            .add(partition);
            }
        }
        if (!leaderless.isEmpty()) {
            waitForLeaders(markers, leaderless);
        }
        destinations.forEach((node, ofNode) -> {
            if (node.id() == brokerId) {
                sendHere(markers, ofNode);
            } else {
                elsewhere.send(node, markers.ending().marker(ofNode), errors -> received(markers, ofNode, errors));
            }
        });
    }

    private void sendHere(PendingMarkers markers, List<TopicPartition> partitions) {
        TransactionMarkers local = here.get();
        if (local == null) {
            again(markers, partitions);
            return;
        }
        var unused = local.append(markers.ending().marker(partitions))
                .whenComplete((errors, fault) -> received(markers, partitions, errors == null ? Map.of() : errors));
    }

    private void received(
            PendingMarkers markers, Collection<TopicPartition> partitions, Map<TopicPartition, Errors> errors) {
        List<TopicPartition> again = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            Errors error = errors.getOrDefault(partition, Errors.NETWORK_EXCEPTION);
            switch (MarkerVerdict.of(error)) {
                case DONE -> done(markers, partition);
                case AGAIN -> again.add(partition);
                case FENCED -> fenced(markers, partition, error);
            }
        }
        if (!again.isEmpty()) {
            again(markers, again);
        }
    }

    private void fenced(PendingMarkers markers, TopicPartition partition, Errors error) {
        LOGGER.info(
                "markers are not sent any more, as somebody newer has the transaction: transactionalId={} partition={} errorCode={}",
                markers.ending().transactionalId(),
                partition,
                error);
        end(markers);
    }

    private void again(PendingMarkers markers, List<TopicPartition> partitions) {
        if (!markers.isOver()) {
            elsewhere.later(markers.nextDelayMs(), () -> send(markers, markers.missingOf(partitions)));
        }
    }

    private void waitForLeaders(PendingMarkers markers, List<TopicPartition> partitions) {
        unknownDestinations.incrementAndGet();
        elsewhere.later(markers.nextDelayMs(), () -> {
            unknownDestinations.decrementAndGet();
            send(markers, markers.missingOf(partitions));
        });
    }

    private void done(PendingMarkers markers, TopicPartition partition) {
        if (markers.done(partition)) {
            complete(markers);
        }
    }

    private void complete(PendingMarkers markers) {
        if (markers.isOver()) {
            return;
        }
        var unused = markers.completing().complete(markers.ending()).thenAccept(result -> {
            if (result == Completion.OVER) {
                end(markers);
            } else {
                completionsToRetry.incrementAndGet();
                elsewhere.later(markers.nextDelayMs(), () -> {
                    completionsToRetry.decrementAndGet();
                    complete(markers);
                });
            }
        });
    }

    private void end(PendingMarkers markers) {
        markers.giveUp();
        pending.remove(markers.ending().transactionalId(), markers);
    }
}
