package io.gregor.handlers.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.junit.jupiter.api.Test;

class ListOffsetsHandlerTest {
    private final DataFixture fixture = new DataFixture();
    private final List<FetchIsolation> asked = new ArrayList<>();
    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> {
        asked.add((FetchIsolation) arguments[1]);
        @SuppressWarnings("unchecked")
        Consumer<Collection<ListOffsetsTopicResponse>> done =
                (Consumer<Collection<ListOffsetsTopicResponse>>) arguments[5];
        done.accept(((List<?>) arguments[0]).isEmpty() ? List.of() : List.of(found()));
        return null;
    });

    private static ListOffsetsTopicResponse found() {
        return new ListOffsetsTopicResponse()
                .setName("t")
                .setPartitions(
                        List.of(new ListOffsetsPartitionResponse().setOffset(3).setTimestamp(1000)));
    }

    private ListOffsetsPartitionResponse handle(int version, IsolationLevel isolation, long timestamp) {
        ListOffsetsTopic topic = new ListOffsetsTopic()
                .setName("t")
                .setPartitions(List.of(new ListOffsetsPartition().setTimestamp(timestamp)));
        ListOffsetsRequest request = ListOffsetsRequest.Builder.forConsumer(false, isolation)
                .setTargetTimes(List.of(topic))
                .build((short) version);
        new ListOffsetsHandler(replicas, fixture.authorization()).handle(fixture.request(request));
        ListOffsetsResponse answer = fixture.asked().answer(ListOffsetsResponse.class);
        assertThat(MessageUtil.toByteBufferAccessor(answer.data(), (short) version)
                        .buffer()
                        .remaining())
                .isPositive();
        return answer.data().topics().get(0).partitions().get(0);
    }

    @Test
    void everyVersionCanBeWritten() {
        for (int version = 1; version <= 10; version++) {
            ListOffsetsPartitionResponse answer = handle(version, IsolationLevel.READ_UNCOMMITTED, -1);

            assertThat(answer.offset()).isEqualTo(3);
        }
    }

    @Test
    void readsCommittedUpToTheLastStableOffset() {
        handle(5, IsolationLevel.READ_COMMITTED, -1);
        handle(5, IsolationLevel.READ_UNCOMMITTED, -1);

        assertThat(asked).containsExactly(FetchIsolation.TXN_COMMITTED, FetchIsolation.HIGH_WATERMARK);
    }

    @Test
    void refusesTimestampsThatTheVersionDoesNotHave() {
        assertThat(handle(6, IsolationLevel.READ_UNCOMMITTED, ListOffsetsRequest.MAX_TIMESTAMP)
                        .errorCode())
                .isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        assertThat(handle(7, IsolationLevel.READ_UNCOMMITTED, ListOffsetsRequest.MAX_TIMESTAMP)
                        .errorCode())
                .isEqualTo(Errors.NONE.code());
    }
}
