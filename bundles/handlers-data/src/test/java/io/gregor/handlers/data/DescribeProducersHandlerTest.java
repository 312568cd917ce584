package io.gregor.handlers.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.testing.Fake;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequestCollection;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeProducersRequest;
import org.apache.kafka.common.requests.DescribeProducersResponse;
import org.junit.jupiter.api.Test;

class DescribeProducersHandlerTest {
    private final DataFixture fixture = new DataFixture();
    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> new PartitionResponse()
            .setPartitionIndex(((TopicPartition) arguments[0]).partition())
            .setActiveProducers(List.of(new ProducerState().setProducerId(9))));

    private List<PartitionResponse> describe(String topic, Integer... partitions) {
        DescribeProducersRequestData data = new DescribeProducersRequestData()
                .setTopics(new TopicRequestCollection(
                        List.of(new TopicRequest().setName(topic).setPartitionIndexes(List.of(partitions)))
                                .iterator()));
        new DescribeProducersHandler(replicas, fixture.metadata(), fixture.authorization())
                .handle(fixture.request(new DescribeProducersRequest.Builder(data).build()));
        return fixture.asked()
                .answer(DescribeProducersResponse.class)
                .data()
                .topics()
                .get(0)
                .partitions();
    }

    @Test
    void showsTheProducersOfEachPartitionThatThereIs() {
        List<PartitionResponse> answers = describe("t", 0, 1);

        assertThat(answers.get(0).activeProducers())
                .singleElement()
                .extracting(ProducerState::producerId)
                .isEqualTo(9L);
        assertThat(answers.get(1).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }

    @Test
    void saysWhatIsWrongWithATopicsName() {
        PartitionResponse answer = describe("a b", 3).get(0);

        assertThat(answer.partitionIndex()).isEqualTo(3);
        assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(answer.errorMessage()).contains("a b");
    }

    @Test
    void tellsStrangersNothingNotEvenThatANameIsInvalid() {
        fixture.authorization().deny("READ TOPIC a b");

        assertThat(describe("a b", 0).get(0).errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
    }
}
