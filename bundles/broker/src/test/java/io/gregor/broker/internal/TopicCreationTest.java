package io.gregor.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.TopicCreator;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicCreationTest {
    private static final String OFFSETS = "__consumer_offsets";
    private static final Uuid ID = Uuid.randomUuid();

    private final List<CreatableTopic> asked = new ArrayList<>();
    private final ServedImage served = Images.served(new ManualScheduler());
    private final TopicCreation creation = TopicCreation.of(
            new ShownTopicCreator(new Controller(), served),
            new AbstractKafkaConfig(
                    AbstractKafkaConfig.CONFIG_DEF,
                    Map.of(
                            "process.roles", "broker",
                            "node.id", "1",
                            "controller.listener.names", "CONTROLLER",
                            "transaction.state.log.min.isr", "1",
                            "offsets.topic.num.partitions", "7"),
                    Map.of(),
                    false) {},
            () -> Map.of("cleanup.policy", "compact"),
            Time.SYSTEM);
    private Errors answer = Errors.NONE;

    @AfterEach
    void close() {
        creation.close();
    }

    @Test
    void asksOnceUntilThisBrokerShowsTheTopic() {
        creation.create(Set.of(OFFSETS), null);
        creation.create(Set.of(OFFSETS), null);
        assertThat(asked).hasSize(1);

        Images.show(served, Images.with(MetadataImage.EMPTY, OFFSETS, ID, 7));
        creation.create(Set.of(OFFSETS), null);

        assertThat(asked).hasSize(2);
    }

    @Test
    void asksAgainAtOnceWhenTheControllerRefused() {
        answer = Errors.INVALID_REPLICATION_FACTOR;

        creation.create(Set.of(OFFSETS), null);
        creation.create(Set.of(OFFSETS), null);

        assertThat(asked).hasSize(2);
    }

    @Test
    void tellsTheControllerWhatInternalTopicsLookLike() {
        creation.create(Set.of(OFFSETS), null);
        creation.create(Set.of("__transaction_state"), null);

        assertThat(asked.get(0).numPartitions()).isEqualTo(7);
        assertThat(configs(asked.get(0))).isEqualTo(Map.of("cleanup.policy", "compact"));
        assertThat(configs(asked.get(1)))
                .isEqualTo(Map.of(
                        "unclean.leader.election.enable", "false",
                        "compression.type", "uncompressed",
                        "cleanup.policy", "compact",
                        "min.insync.replicas", "1",
                        "segment.bytes", "104857600"));
    }

    private static Map<String, String> configs(CreatableTopic topic) {
        return topic.configs().stream()
                .collect(Collectors.toMap(CreatableTopicConfig::name, CreatableTopicConfig::value));
    }

    /** Answers at once. */
    private final class Controller implements TopicCreator {
        @Override
        public CompletableFuture<CreateTopicsResponse> createTopicWithPrincipal(
                RequestContext who, CreateTopicsRequest.Builder request) {
            throw new AssertionError("nobody asked for " + request);
        }

        @Override
        public CompletableFuture<CreateTopicsResponse> createTopicWithoutPrincipal(
                CreateTopicsRequest.Builder request) {
            CreateTopicsResponseData response = new CreateTopicsResponseData();
            for (CreatableTopic topic : request.build().data().topics()) {
                asked.add(topic.duplicate());
                response.topics()
                        .add(new CreatableTopicResult()
                                .setName(topic.name())
                                .setTopicId(ID)
                                .setErrorCode(answer.code()));
            }
            return CompletableFuture.completedFuture(new CreateTopicsResponse(response));
        }
    }
}
