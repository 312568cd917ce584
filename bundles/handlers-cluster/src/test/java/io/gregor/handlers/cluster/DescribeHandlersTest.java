package io.gregor.handlers.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.apache.kafka.common.requests.SaslHandshakeResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescribeHandlersTest {
    private static final Uuid OTHER_ID = Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAg");

    private final FakeMetadata metadata = new FakeMetadata()
            .serve(Images.of(
                    1,
                    Images.broker(1, false),
                    Images.broker(2, true),
                    Images.topic("a", Images.TOPIC_ID),
                    Images.partition(Images.TOPIC_ID, 1),
                    Images.topic("b", OTHER_ID),
                    Images.partition(OTHER_ID, 1)));
    private final FakeAuthorization authorization = new FakeAuthorization();

    @Test
    void brokersAreToldAndFencedOnesOnRequest() {
        DescribeClusterResponseData answer = cluster(2, new DescribeClusterRequestData());
        assertThat(answer.clusterId()).isEqualTo("cluster");
        assertThat(answer.controllerId()).isEqualTo(1);
        assertThat(answer.brokers()).extracting(DescribeClusterBroker::brokerId).containsExactly(1);
        assertThat(cluster(2, new DescribeClusterRequestData().setIncludeFencedBrokers(true))
                        .brokers())
                .extracting(DescribeClusterBroker::isFenced)
                .containsExactlyInAnyOrder(false, true);
    }

    @ParameterizedTest
    @CsvSource({"1, 2, MISMATCHED_ENDPOINT_TYPE", "1, 9, UNSUPPORTED_ENDPOINT_TYPE"})
    void otherEndpointTypesAreRefused(int version, byte type, Errors error) {
        assertThat(cluster(version, new DescribeClusterRequestData().setEndpointType(type))
                        .errorCode())
                .isEqualTo(error.code());
    }

    @Test
    void topicsAreToldPageByPage() {
        DescribeTopicPartitionsResponseData first =
                topics(new DescribeTopicPartitionsRequestData().setResponsePartitionLimit(1));
        assertThat(first.topics())
                .extracting(DescribeTopicPartitionsResponseTopic::name)
                .containsExactly("a");
        assertThat(first.nextCursor().topicName()).isEqualTo("b");

        DescribeTopicPartitionsResponseData second = topics(new DescribeTopicPartitionsRequestData()
                .setCursor(new Cursor().setTopicName("b").setPartitionIndex(0)));
        assertThat(second.topics())
                .extracting(DescribeTopicPartitionsResponseTopic::name)
                .containsExactly("b");
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void forbiddenTopicIsToldAsForbiddenWhenItIsAskedFor() {
        authorization.deny("DESCRIBE TOPIC a");
        DescribeTopicPartitionsResponseData answer = topics(new DescribeTopicPartitionsRequestData()
                .setTopics(List.of(new TopicRequest().setName("a"), new TopicRequest().setName("b"))));
        assertThat(answer.topics().find("a").errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(answer.topics().find("b").errorCode()).isZero();
        assertThat(topics(new DescribeTopicPartitionsRequestData()).topics().find("a"))
                .isNull();
    }

    @Test
    void cursorMustPointToATopicThatIsAskedFor() {
        assertThatThrownBy(() -> topics(new DescribeTopicPartitionsRequestData()
                        .setTopics(List.of(new TopicRequest().setName("a")))
                        .setCursor(new Cursor().setTopicName("b").setPartitionIndex(0))))
                .isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> topics(new DescribeTopicPartitionsRequestData()
                        .setCursor(new Cursor().setTopicName("b").setPartitionIndex(-1))))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void saslIsAnIllegalStateOutsideOfItsExchange() {
        FakeRequest handshake =
                FakeRequest.parsed(ApiKeys.SASL_HANDSHAKE, 1, new SaslHandshakeRequestData().setMechanism("PLAIN"));
        new SaslHandshakeHandler().handle(handshake);
        assertThat(handshake.answer(SaslHandshakeResponse.class).error()).isEqualTo(Errors.ILLEGAL_SASL_STATE);
        FakeRequest token = FakeRequest.parsed(ApiKeys.SASL_AUTHENTICATE, 2, new SaslAuthenticateRequestData());
        new SaslAuthenticateHandler().handle(token);
        assertThat(token.answer(SaslAuthenticateResponse.class).error()).isEqualTo(Errors.ILLEGAL_SASL_STATE);
    }

    private DescribeClusterResponseData cluster(int version, DescribeClusterRequestData question) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.DESCRIBE_CLUSTER, version, question);
        new DescribeClusterHandler(metadata, authorization, FakeNodeConfig.IDENTITY).handle(request);
        return request.answer(DescribeClusterResponse.class).data();
    }

    private DescribeTopicPartitionsResponseData topics(DescribeTopicPartitionsRequestData question) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, 0, question);
        new DescribeTopicPartitionsHandler(metadata, authorization, FakeNodeConfig.of()).handle(request);
        return request.answer(DescribeTopicPartitionsResponse.class).data();
    }
}
