package io.gregor.handlers.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.FoundOffset;
import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.OffsetNotAvailableException;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.junit.jupiter.api.Test;

class ListOffsetsHandlerTest {
    private final DataFixture fixture = new DataFixture();
    private final List<FetchIsolation> asked = new ArrayList<>();
    private boolean isLagging;

    private final Replicas replicas = Fake.of(Replicas.class, (proxy, method, arguments) -> {
        asked.add((FetchIsolation) arguments[2]);
        if (isLagging) {
            throw new OffsetNotAvailableException("lagging");
        }
        return new FoundOffset(3, 1000, 5);
    });

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
            assertThat(answer.leaderEpoch()).isEqualTo(version < 4 ? -1 : 5);
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

    @Test
    void olderClientsDoNotKnowThatAnOffsetMayNotBeKnownYet() {
        isLagging = true;

        assertThat(handle(4, IsolationLevel.READ_UNCOMMITTED, -1).errorCode())
                .isEqualTo(Errors.LEADER_NOT_AVAILABLE.code());
        assertThat(handle(5, IsolationLevel.READ_UNCOMMITTED, -1).errorCode())
                .isEqualTo(Errors.OFFSET_NOT_AVAILABLE.code());
    }
}
