package io.gregor.transactions.internal;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.jspecify.annotations.Nullable;

/** What DescribeTransactions and ListTransactions tell of transactions (KIP-664, KIP-994, KIP-1152). Immutable. */
final class Listings {
    private Listings() {}

    /** A filter of transactions, and the states it names that there are not. */
    record Filter(List<String> unknownStates, Predicate<Map.Entry<String, TxnTransitMetadata>> wanted) {}

    /** @throws InvalidRegularExpression if the pattern of ids is none */
    static Filter filter(ListTransactionsRequestData asked, long nowMs) {
        Set<TransactionState> states = EnumSet.noneOf(TransactionState.class);
        List<String> unknown = new ArrayList<>();
        for (String name : asked.stateFilters()) {
            TransactionState.fromName(name).ifPresentOrElse(states::add, () -> unknown.add(name));
        }
        Set<Long> producers = new HashSet<>(asked.producerIdFilters());
        Pattern pattern = pattern(asked.transactionalIdPattern());
        boolean anyState = asked.stateFilters().isEmpty();
        return new Filter(unknown, entry -> {
            TxnTransitMetadata state = entry.getValue();
            return state.txnState() != TransactionState.DEAD
                    && (anyState || states.contains(state.txnState()))
                    && (producers.isEmpty() || producers.contains(state.producerId()))
                    && (asked.durationFilter() < 0 || nowMs - state.txnStartTimestamp() > asked.durationFilter())
                    && (pattern == null || pattern.matches(entry.getKey()));
        });
    }

    private static @Nullable Pattern pattern(@Nullable String asked) {
        if (asked == null || asked.isEmpty()) {
            return null;
        }
        try {
            return Pattern.compile(asked);
        } catch (PatternSyntaxException e) {
            throw new InvalidRegularExpression(
                    "transactionalIdPattern=" + asked + " is no regular expression: " + e.getDescription());
        }
    }

    static ListTransactionsResponseData.TransactionState listed(Map.Entry<String, TxnTransitMetadata> entry) {
        TxnTransitMetadata state = entry.getValue();
        return new ListTransactionsResponseData.TransactionState()
                .setTransactionalId(entry.getKey())
                .setProducerId(state.producerId())
                .setTransactionState(state.txnState().stateName());
    }

    static DescribeTransactionsResponseData.TransactionState refused(String transactionalId, Errors error) {
        return new DescribeTransactionsResponseData.TransactionState()
                .setTransactionalId(transactionalId)
                .setErrorCode(error.code());
    }

    static DescribeTransactionsResponseData.TransactionState described(
            String transactionalId, @Nullable TxnTransitMetadata state) {
        if (state == null || state.txnState() == TransactionState.DEAD) {
            return refused(transactionalId, Errors.TRANSACTIONAL_ID_NOT_FOUND);
        }
        DescribeTransactionsResponseData.TransactionState described =
                new DescribeTransactionsResponseData.TransactionState()
                        .setTransactionalId(transactionalId)
                        .setTransactionState(state.txnState().stateName())
                        .setTransactionTimeoutMs(state.txnTimeoutMs())
                        .setTransactionStartTimeMs(state.txnStartTimestamp())
                        .setProducerId(state.producerId())
                        .setProducerEpoch(state.producerEpoch());
        state.topicPartitions().forEach(partition -> {
            TopicData topic = described.topics().find(partition.topic());
            if (topic == null) {
                topic = new TopicData().setTopic(partition.topic());
                described.topics().add(topic);
            }
            topic.partitions().add(partition.partition());
        });
        return described;
    }
}
