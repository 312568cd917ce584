package io.gregor.handlers.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.List;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TopicData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;
import org.apache.kafka.common.requests.ListTransactionsResponse;
import org.junit.jupiter.api.Test;

class TransactionListingHandlersTest {
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final FakeCoordinator coordinator = new FakeCoordinator();

    @Test
    void describesEachOnceAndWithoutTopicsThatMayNotBeSeen() {
        authorization.deny("DESCRIBE TOPIC hidden").deny("DESCRIBE TRANSACTIONAL_ID b");

        List<TransactionState> states = described("b", "a", "a");

        assertThat(states).extracting(TransactionState::transactionalId).containsExactly("b", "a");
        assertThat(states.get(0).errorCode()).isEqualTo(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code());
        assertThat(states.get(1).transactionState()).isEqualTo("Ongoing");
        assertThat(states.get(1).topics()).extracting(TopicData::topic).containsExactly("open");
        assertThat(coordinator.asked()).containsExactly("describe [a]");
    }

    @Test
    void listsWhatMayBeDescribed() {
        authorization.deny("DESCRIBE TRANSACTIONAL_ID b");

        ListTransactionsResponseData listed = listed();

        assertThat(listed.transactionStates())
                .extracting(ListTransactionsResponseData.TransactionState::transactionalId)
                .containsExactly("a");
        assertThat(coordinator.asked()).containsExactly("list [Ongoing]");
    }

    @Test
    void anErrorOfTheListIsPassedOn() {
        coordinator.answerWith(Errors.COORDINATOR_LOAD_IN_PROGRESS);

        assertThat(listed().errorCode()).isEqualTo(Errors.COORDINATOR_LOAD_IN_PROGRESS.code());
    }

    private List<TransactionState> described(String... ids) {
        FakeRequest request = FakeRequest.parsed(
                ApiKeys.DESCRIBE_TRANSACTIONS,
                0,
                new DescribeTransactionsRequestData().setTransactionalIds(List.of(ids)));
        new DescribeTransactionsHandler(coordinator, authorization).handle(request);
        return request.answer(DescribeTransactionsResponse.class).data().transactionStates();
    }

    private ListTransactionsResponseData listed() {
        FakeRequest request = FakeRequest.parsed(
                ApiKeys.LIST_TRANSACTIONS, 1, new ListTransactionsRequestData().setStateFilters(List.of("Ongoing")));
        new ListTransactionsHandler(coordinator, authorization).handle(request);
        return request.answer(ListTransactionsResponse.class).data();
    }
}
