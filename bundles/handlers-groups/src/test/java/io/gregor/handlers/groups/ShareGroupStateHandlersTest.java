package io.gregor.handlers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.RequestHandler;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.message.WriteShareGroupStateResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DeleteShareGroupStateRequest;
import org.apache.kafka.common.requests.InitializeShareGroupStateRequest;
import org.apache.kafka.common.requests.ReadShareGroupStateRequest;
import org.apache.kafka.common.requests.ReadShareGroupStateSummaryRequest;
import org.apache.kafka.common.requests.WriteShareGroupStateRequest;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What brokers ask of the share coordinator: each with one partition. */
class ShareGroupStateHandlersTest {
    private static final Uuid TOPIC = Uuid.randomUuid();

    private final HandlerFixture fixture = new HandlerFixture();
    private final List<String> passedOn = new ArrayList<>();

    static Stream<Arguments> apis() {
        return Stream.of(
                api(
                        InitializeShareGroupStateHandler::new,
                        "initializeState",
                        new InitializeShareGroupStateRequest(
                                new InitializeShareGroupStateRequestData()
                                        .setGroupId("g")
                                        .setTopics(
                                                List.of(new InitializeShareGroupStateRequestData.InitializeStateData()
                                                        .setTopicId(TOPIC)
                                                        .setPartitions(List.of(
                                                                new InitializeShareGroupStateRequestData
                                                                        .PartitionData())))),
                                (short) 0),
                        InitializeShareGroupStateResponseData::new),
                api(
                        ReadShareGroupStateHandler::new,
                        "readState",
                        new ReadShareGroupStateRequest(
                                new ReadShareGroupStateRequestData()
                                        .setGroupId("g")
                                        .setTopics(List.of(new ReadShareGroupStateRequestData.ReadStateData()
                                                .setTopicId(TOPIC)
                                                .setPartitions(
                                                        List.of(new ReadShareGroupStateRequestData.PartitionData())))),
                                (short) 0),
                        ReadShareGroupStateResponseData::new),
                api(
                        WriteShareGroupStateHandler::new,
                        "writeState",
                        new WriteShareGroupStateRequest(
                                new WriteShareGroupStateRequestData()
                                        .setGroupId("g")
                                        .setTopics(List.of(new WriteShareGroupStateRequestData.WriteStateData()
                                                .setTopicId(TOPIC)
                                                .setPartitions(
                                                        List.of(new WriteShareGroupStateRequestData.PartitionData())))),
                                (short) 1),
                        WriteShareGroupStateResponseData::new),
                api(
                        DeleteShareGroupStateHandler::new,
                        "deleteState",
                        new DeleteShareGroupStateRequest(
                                new DeleteShareGroupStateRequestData()
                                        .setGroupId("g")
                                        .setTopics(List.of(new DeleteShareGroupStateRequestData.DeleteStateData()
                                                .setTopicId(TOPIC)
                                                .setPartitions(List.of(
                                                        new DeleteShareGroupStateRequestData.PartitionData())))),
                                (short) 0),
                        DeleteShareGroupStateResponseData::new),
                api(
                        ReadShareGroupStateSummaryHandler::new,
                        "readStateSummary",
                        new ReadShareGroupStateSummaryRequest(
                                new ReadShareGroupStateSummaryRequestData()
                                        .setGroupId("g")
                                        .setTopics(
                                                List.of(new ReadShareGroupStateSummaryRequestData.ReadStateSummaryData()
                                                        .setTopicId(TOPIC)
                                                        .setPartitions(List.of(
                                                                new ReadShareGroupStateSummaryRequestData
                                                                        .PartitionData())))),
                                (short) 1),
                        ReadShareGroupStateSummaryResponseData::new));
    }

    private static Arguments api(Made handler, String call, AbstractRequest request, Supplier<ApiMessage> answer) {
        return Arguments.of(handler, call, request, answer);
    }

    /** How a handler is made. */
    interface Made {
        RequestHandler of(ShareCoordinator coordinator, Authorization authorization);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("apis")
    void answersWhatTheCoordinatorSays(
            Made handler, String call, AbstractRequest request, Supplier<ApiMessage> answer) {
        ApiMessage said = answer.get();

        FakeRequest asked = handle(handler, request, CompletableFuture.completedFuture(said));

        assertThat(asked.answer()).isSameAs(said);
        assertThat(passedOn).containsExactly(call);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("apis")
    void answersWithTheFaultOfTheCoordinator(
            Made handler, String call, AbstractRequest request, Supplier<ApiMessage> answer) {
        FakeRequest asked =
                handle(handler, request, CompletableFuture.failedFuture(Errors.NOT_COORDINATOR.exception()));

        assertThat(asked.answer()).isEqualTo(Errors.NOT_COORDINATOR.exception());
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("apis")
    void refusesWhoMayNotActForTheCluster(
            Made handler, String call, AbstractRequest request, Supplier<ApiMessage> answer) {
        fixture.deny("CLUSTER_ACTION kafka-cluster");

        FakeRequest asked = handle(handler, request, CompletableFuture.completedFuture(answer.get()));

        assertThat(asked.answer(AbstractResponse.class).errorCounts())
                .containsOnlyKeys(Errors.CLUSTER_AUTHORIZATION_FAILED);
        assertThat(passedOn).isEmpty();
    }

    private FakeRequest handle(Made handler, AbstractRequest request, CompletableFuture<ApiMessage> outcome) {
        ShareCoordinator coordinator = Fake.of(ShareCoordinator.class, (proxy, method, arguments) -> {
            passedOn.add(method.getName());
            return outcome;
        });
        FakeRequest asked = fixture.request(request);
        handler.of(coordinator, fixture.authorization()).handle(asked);
        return asked;
    }
}
