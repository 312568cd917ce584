package io.gregor.transactions.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;

class ListingsTest {
    private static final TransactionVersion V2 = TransactionVersion.TV_2;
    private static final Map.Entry<String, TxnTransitMetadata> EMPTY = Map.entry("empty", States.empty(5));
    private static final Map.Entry<String, TxnTransitMetadata> OPEN = Map.entry("open", States.ongoing(5, V2));
    private static final Map.Entry<String, TxnTransitMetadata> ENDED =
            Map.entry("ended", States.prepared(5, TransactionResult.COMMIT, V2));

    private final ListTransactionsRequestData asked = new ListTransactionsRequestData();

    @Test
    void withoutFiltersAllAreListed() {
        assertThat(listed()).containsExactly("empty", "open", "ended");
    }

    @Test
    void statesAreFilteredAndUnknownOnesTold() {
        asked.setStateFilters(List.of("Ongoing", "Sleeping"));

        assertThat(listed()).containsExactly("open");
        assertThat(Listings.filter(asked, States.NOW_MS).unknownStates()).containsExactly("Sleeping");

        asked.setStateFilters(List.of("Sleeping"));
        assertThat(listed()).isEmpty();
    }

    @Test
    void producersAreFiltered() {
        asked.setProducerIdFilters(List.of(1000L, 1L));
        assertThat(listed()).hasSize(3);

        asked.setProducerIdFilters(List.of(1L));
        assertThat(listed()).isEmpty();
    }

    @Test
    void onlyWhatRunsLongerThanAskedForPasses() {
        asked.setStateFilters(List.of("Ongoing")).setDurationFilter(999);
        assertThat(listed()).containsExactly("open");

        asked.setDurationFilter(1000);
        assertThat(listed()).isEmpty();
    }

    @Test
    void aPatternFitsWholeIds() {
        asked.setTransactionalIdPattern("e.*");
        assertThat(listed()).containsExactly("empty", "ended");
        asked.setTransactionalIdPattern("end");
        assertThat(listed()).isEmpty();
        asked.setTransactionalIdPattern("");
        assertThat(listed()).hasSize(3);

        asked.setTransactionalIdPattern("(");
        assertThatThrownBy(() -> Listings.filter(asked, States.NOW_MS))
                .isInstanceOf(InvalidRegularExpression.class)
                .hasMessageContaining("transactionalIdPattern=(");
    }

    @Test
    void aTransactionIsDescribedWithItsPartitionsByTopic() {
        TxnTransitMetadata state = new Transition(States.ID, States.empty(5), States.NOW_MS)
                .add(Set.of(new TopicPartition("a", 0), new TopicPartition("a", 1), new TopicPartition("b", 2)), V2);

        TransactionState described = Listings.described(States.ID, state);

        assertThat(described.errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(described.transactionState()).isEqualTo("Ongoing");
        assertThat(described.producerId()).isEqualTo(1000);
        assertThat(described.producerEpoch()).isEqualTo((short) 5);
        assertThat(described.transactionTimeoutMs()).isEqualTo(States.TIMEOUT_MS);
        assertThat(described.transactionStartTimeMs()).isEqualTo(States.NOW_MS);
        assertThat(described.topics()).hasSize(2);
        assertThat(described.topics().find("a").partitions()).containsExactlyInAnyOrder(0, 1);
        assertThat(described.topics().find("b").partitions()).containsExactly(2);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(Listings.described("nobody", null).errorCode()).isEqualTo(Errors.TRANSACTIONAL_ID_NOT_FOUND.code());
    }

    private List<String> listed() {
        return List.of(EMPTY, OPEN, ENDED).stream()
                .filter(Listings.filter(asked, States.NOW_MS).wanted())
                .map(entry -> Listings.listed(entry).transactionalId())
                .toList();
    }
}
