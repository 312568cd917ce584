package io.gregor.handlers.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.broker.AutoTopics;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataHandlerTest {
    private static final Uuid OTHER_ID = Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAg");
    private static final int OMITTED = Integer.MIN_VALUE;

    private final MetadataImage image = Images.of(
            1,
            Images.broker(1, false),
            Images.broker(2, true),
            Images.topic("t", Images.TOPIC_ID),
            Images.partition(Images.TOPIC_ID, 1),
            Images.topic("other", OTHER_ID),
            Images.partition(OTHER_ID, 1));
    private final FakeMetadata metadata = new FakeMetadata().serve(image);
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final List<Set<String>> created = new ArrayList<>();
    private final MetadataHandler handler = handler("true");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 7, 8, 9, 10, 11, 12, 13})
    void topicIsToldWithItsLeaderInEveryVersion(int version) {
        MetadataResponseData answer = ask(version, named("t"));
        assertThat(answer.brokers()).extracting(MetadataResponseBroker::host).containsExactly("host1");
        MetadataResponseTopic topic = theOnly(answer);
        assertThat(topic.name()).isEqualTo("t");
        assertThat(topic.errorCode()).isZero();
        assertThat(topic.partitions()).hasSize(1);
        assertThat(topic.partitions().get(0).leaderId()).isEqualTo(1);
        if (version >= 2) {
            assertThat(answer.clusterId()).isEqualTo("cluster");
        }
        if (version >= 1) {
            assertThat(answer.controllerId()).isEqualTo(1);
        }
    }

    @Test
    void allTopicsAreToldForNullAndInVersionZeroForAnEmptyList() {
        assertThat(ask(12, new MetadataRequestData().setTopics(null)).topics()).hasSize(2);
        assertThat(ask(0, new MetadataRequestData()).topics()).hasSize(2);
        assertThat(ask(1, new MetadataRequestData()).topics()).isEmpty();
    }

    @Test
    void topicsAreFoundById() {
        MetadataRequestData question = new MetadataRequestData();
        question.topics().add(new MetadataRequestTopic().setName(null).setTopicId(Images.TOPIC_ID));
        question.topics().add(new MetadataRequestTopic().setName(null).setTopicId(Uuid.ONE_UUID));
        List<MetadataResponseTopic> topics = List.copyOf(ask(12, question).topics());
        assertThat(topics).hasSize(2);
        assertThat(topics)
                .anySatisfy(topic -> assertThat(topic.name()).isEqualTo("t"))
                .anySatisfy(topic -> {
                    assertThat(topic.topicId()).isEqualTo(Uuid.ONE_UUID);
                    assertThat(topic.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
                });
    }

    @Test
    void idsAndMissingNamesAreRefusedBeforeVersionTwelve() {
        MetadataRequestData byId = new MetadataRequestData();
        byId.topics().add(new MetadataRequestTopic().setName("t").setTopicId(Images.TOPIC_ID));
        assertThatThrownBy(() -> ask(10, byId)).isInstanceOf(InvalidRequestException.class);
        MetadataRequestData unnamed = new MetadataRequestData();
        unnamed.topics().add(new MetadataRequestTopic().setName(null));
        assertThatThrownBy(() -> ask(11, unnamed)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void missingTopicIsCreatedIfConfigurationAndClientWantIt() {
        assertThat(theOnly(ask(12, named("new"))).errorCode()).isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        assertThat(created).isEqualTo(List.of(Set.of("new")));

        assertThat(theOnly(ask(12, named("new").setAllowAutoTopicCreation(false)))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        MetadataHandler never = handler("false");
        FakeRequest request = FakeRequest.parsed(ApiKeys.METADATA, 12, named("bad name!"));
        never.handle(request);
        assertThat(theOnly(request.answer(MetadataResponse.class).data()).errorCode())
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(created).hasSize(1);
    }

    @Test
    void errorOfAnUnknownListenerDependsOnTheVersion() {
        FakeRequest before = FakeRequest.parsed(ApiKeys.METADATA, 5, "OTHER", named("t"));
        handler.handle(before);
        assertThat(theOnly(before.answer(MetadataResponse.class).data())
                        .partitions()
                        .get(0)
                        .errorCode())
                .isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        FakeRequest after = FakeRequest.parsed(ApiKeys.METADATA, 6, "OTHER", named("t"));
        handler.handle(after);
        assertThat(theOnly(after.answer(MetadataResponse.class).data())
                        .partitions()
                        .get(0)
                        .errorCode())
                .isEqualTo(Errors.LISTENER_NOT_FOUND.code());
    }

    @Test
    void answerIsKeptPerQuestionUntilTheImageChanges() {
        Object first = askForAnswer(12, named("t"));
        assertThat(askForAnswer(12, named("t"))).isSameAs(first);
        assertThat(askForAnswer(11, named("t"))).isNotSameAs(first);
        assertThat(askForAnswer(12, named("other"))).isNotSameAs(first);
        FakeRequest elsewhere = FakeRequest.parsed(ApiKeys.METADATA, 12, "OTHER", named("t"));
        handler.handle(elsewhere);
        assertThat(elsewhere.answer()).isNotSameAs(first);

        metadata.serve(Images.with(image, 2, Images.broker(3, false)));
        assertThat(askForAnswer(12, named("t"))).isNotSameAs(first);
        assertThat(ask(12, named("t")).brokers()).hasSize(2);
    }

    @Test
    void answerWithAMissingTopicIsNotKept() {
        ask(12, named("new"));
        ask(12, named("new"));
        assertThat(created).hasSize(2);
    }

    @Test
    void answerIsNotKeptWhereAnAuthorizerDecides() {
        authorization.deny("DESCRIBE TOPIC t");
        assertThat(askForAnswer(12, named("other"))).isNotSameAs(askForAnswer(12, named("other")));
    }

    @Test
    void forbiddenTopicIsToldWithoutItsIdAndHiddenAmongAll() {
        authorization.deny("DESCRIBE TOPIC t");
        MetadataResponseTopic topic = theOnly(ask(12, named("t")));
        assertThat(topic.errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(topic.topicId()).isEqualTo(Uuid.ZERO_UUID);
        assertThat(ask(12, new MetadataRequestData().setTopics(null)).topics())
                .extracting(MetadataResponseTopic::name)
                .containsExactly("other");

        MetadataRequestData byId = new MetadataRequestData();
        byId.topics().add(new MetadataRequestTopic().setName(null).setTopicId(Images.TOPIC_ID));
        MetadataResponseTopic found = theOnly(ask(12, byId));
        assertThat(found.name()).isNull();
        assertThat(found.topicId()).isEqualTo(Images.TOPIC_ID);
        assertThat(found.errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
    }

    @Test
    void topicThatMayNotBeCreatedIsForbidden() {
        authorization.deny("CREATE CLUSTER kafka-cluster").deny("CREATE TOPIC new");
        assertThat(theOnly(ask(12, named("new"))).errorCode()).isEqualTo(Errors.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(created).isEmpty();
        assertThat(theOnly(ask(12, named("allowed"))).errorCode()).isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
    }

    @Test
    void authorizedOperationsAreToldOnRequest() {
        MetadataRequestData question =
                named("t").setIncludeTopicAuthorizedOperations(true).setIncludeClusterAuthorizedOperations(true);
        assertThat(theOnly(ask(10, question)).topicAuthorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
        assertThat(ask(10, question).clusterAuthorizedOperations()).isEqualTo(FakeAuthorization.OPERATIONS);
        MetadataResponseData plain = ask(10, named("t"));
        assertThat(theOnly(plain).topicAuthorizedOperations()).isEqualTo(OMITTED);
        assertThat(plain.clusterAuthorizedOperations()).isEqualTo(OMITTED);
    }

    private MetadataHandler handler(String autoCreate) {
        MetadataHandler made = new MetadataHandler(
                metadata,
                authorization,
                FakeNodeConfig.of(Map.of("auto.create.topics.enable", autoCreate)),
                FakeNodeConfig.IDENTITY);
        made.bindAutoTopics(new Creation(created));
        return made;
    }

    private MetadataResponseData ask(int version, MetadataRequestData question) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.METADATA, version, question);
        handler.handle(request);
        return request.answer(MetadataResponse.class).data();
    }

    private Object askForAnswer(int version, MetadataRequestData question) {
        FakeRequest request = FakeRequest.parsed(ApiKeys.METADATA, version, question);
        handler.handle(request);
        return request.answer();
    }

    private static MetadataRequestData named(String name) {
        MetadataRequestData question = new MetadataRequestData();
        question.topics().add(new MetadataRequestTopic().setName(name));
        return question;
    }

    private static MetadataResponseTopic theOnly(MetadataResponseData answer) {
        assertThat(answer.topics()).hasSize(1);
        return answer.topics().iterator().next();
    }

    private record Creation(List<Set<String>> created) implements AutoTopics {
        @Override
        public List<MetadataResponseTopic> create(Set<String> names, RequestContext who) {
            created.add(Set.copyOf(names));
            return names.stream()
                    .map(name ->
                            new MetadataResponseTopic().setName(name).setErrorCode(Errors.LEADER_NOT_AVAILABLE.code()))
                    .toList();
        }
    }
}
