package io.gregor.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class ExpectedMetadataTest {
    private static final Uuid ID = Uuid.randomUuid();
    private static final MetadataImage OLD_TOPIC = Images.with(MetadataImage.EMPTY, "t", Uuid.randomUuid(), 1);
    private static final MetadataImage NEW_TOPIC = Images.with(MetadataImage.EMPTY, "t", ID, 1);

    @Test
    void expectsTheTopicIdAndNotAnOlderTopicOfThatName() {
        ExpectedMetadata expected = topics(false, created("t").setTopicId(ID)).orElseThrow();

        assertThat(expected.timeoutMs()).isEqualTo(1234);
        assertThat(expected.condition()).rejects(MetadataImage.EMPTY, OLD_TOPIC).accepts(NEW_TOPIC);
    }

    @Test
    void expectsTheNameWhenTheResponseHasNoTopicId() {
        ExpectedMetadata expected = topics(false, created("t")).orElseThrow();

        assertThat(expected.condition()).rejects(MetadataImage.EMPTY).accepts(NEW_TOPIC);
    }

    @Test
    void expectsOnlyTheTopicsThatWereCreated() {
        ExpectedMetadata expected = topics(
                        false,
                        created("t").setTopicId(ID),
                        created("bad").setErrorCode(Errors.TOPIC_ALREADY_EXISTS.code()))
                .orElseThrow();

        assertThat(expected.condition()).accepts(NEW_TOPIC);
    }

    @Test
    void expectsNothingWhenNothingWasCreated() {
        assertThat(topics(true, created("t"))).isEmpty();
        assertThat(topics(false, created("t").setErrorCode(Errors.INVALID_PARTITIONS.code())))
                .isEmpty();
        assertThat(ExpectedMetadata.of(
                        new DeleteTopicsRequest.Builder(new DeleteTopicsRequestData()).build(),
                        new DeleteTopicsResponse(new DeleteTopicsResponseData())))
                .isEmpty();
    }

    @Test
    void expectsTheNewCountOfPartitions() {
        ExpectedMetadata expected = partitions(false, Errors.NONE).orElseThrow();

        assertThat(expected.condition())
                .rejects(MetadataImage.EMPTY, Images.with(MetadataImage.EMPTY, "t", ID, 2))
                .accepts(Images.with(MetadataImage.EMPTY, "t", ID, 3));
        assertThat(partitions(false, Errors.INVALID_PARTITIONS)).isEmpty();
        assertThat(partitions(true, Errors.NONE)).isEmpty();
    }

    private static Optional<ExpectedMetadata> topics(boolean validateOnly, CreatableTopicResult... results) {
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        List.of(results).forEach(response.topics()::add);
        return ExpectedMetadata.of(
                new CreateTopicsRequest.Builder(
                                new CreateTopicsRequestData().setTimeoutMs(1234).setValidateOnly(validateOnly))
                        .build(),
                new CreateTopicsResponse(response));
    }

    private static CreatableTopicResult created(String name) {
        return new CreatableTopicResult().setName(name);
    }

    private static Optional<ExpectedMetadata> partitions(boolean validateOnly, Errors error) {
        CreatePartitionsRequestData request =
                new CreatePartitionsRequestData().setTimeoutMs(1234).setValidateOnly(validateOnly);
        request.topics().add(new CreatePartitionsTopic().setName("t").setCount(3));
        return ExpectedMetadata.of(
                new CreatePartitionsRequest.Builder(request).build(),
                new CreatePartitionsResponse(new CreatePartitionsResponseData()
                        .setResults(List.of(
                                new CreatePartitionsTopicResult().setName("t").setErrorCode(error.code())))));
    }
}
