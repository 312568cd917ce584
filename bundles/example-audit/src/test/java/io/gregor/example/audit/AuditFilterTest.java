package io.gregor.example.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeFilteredRequest;
import io.gregor.testing.FakeFilteredResponse;
import io.gregor.testing.FakeNodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditFilterTest {
    private static final short VERSION = 12;
    private static final Caller ANONYMOUS = new Caller("User:ANONYMOUS", "client");

    private record Line(Caller caller, long ms, Usage usage) {}

    private final FakeNodeSettings settings = new FakeNodeSettings(Map.of());
    private final List<Line> lines = new ArrayList<>();
    private long nowNs = 77;
    private final AuditFilter filter =
            new AuditFilter(settings, () -> nowNs, (caller, ms, usage) -> lines.add(new Line(caller, ms, usage)));

    @Test
    void writesWithTheFirstRequestAfterTheMinute() {
        FakeFilteredRequest first = ask();
        ProduceResponseData answer = answer(first, 250, Errors.NONE, Errors.NOT_LEADER_OR_FOLLOWER);
        passes(59_999);
        FakeFilteredRequest second = ask();
        assertThat(lines).isEmpty();

        passes(1);
        ask();

        long bytesOut =
                MessageUtil.toByteBufferAccessor(answer, VERSION).buffer().remaining();
        assertThat(lines)
                .containsExactly(new Line(
                        ANONYMOUS, 60_000, new Usage(2, first.sizeBytes() + second.sizeBytes(), bytesOut, 1, 250)));
    }

    @Test
    void beginsAnewAfterEachLine() {
        ask();
        passes(60_000);
        ask();
        passes(90_000);
        ask();

        assertThat(lines).extracting(Line::ms).containsExactly(60_000L, 90_000L);
        assertThat(lines).extracting(line -> line.usage().requests()).containsExactly(1L, 1L);
    }

    @Test
    void writesTheRestWhenItStops() {
        ask();
        passes(5_000);

        filter.stop();

        assertThat(lines).extracting(Line::ms).containsExactly(5_000L);
        assertThat(settings.isOwned()).isFalse();
    }

    @Test
    void writesAsOftenAsItIsTold() {
        settings.set(Interval.KEY, "500");
        ask();
        passes(500);
        ask();

        assertThat(lines).hasSize(1);
    }

    @Test
    void changesNeitherRequestNorResponse() {
        FakeFilteredRequest request = ask();
        FakeFilteredResponse response =
                FakeFilteredResponse.to(request, new ProduceResponse(new ProduceResponseData()));
        filter.filterResponse(response);

        assertThat(request.hasPassed()).isTrue();
        assertThat(response.hasPassed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "99", "60001", "x", ""})
    void refusesOtherIntervals(String typed) {
        assertThatThrownBy(() -> settings.set(Interval.KEY, typed))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("example.audit.interval.ms=" + typed + " must be ");
    }

    @Test
    void refusesKeysThatItDoesNotKnow() {
        assertThatThrownBy(() -> settings.set("example.audit.interval", "500")).isInstanceOf(ConfigException.class);
    }

    private FakeFilteredRequest ask() {
        FakeFilteredRequest request = new FakeFilteredRequest(
                new ProduceRequest(new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1_000), VERSION));
        filter.filterRequest(request);
        return request;
    }

    private ProduceResponseData answer(FakeFilteredRequest request, int throttleMs, Errors... partitions) {
        TopicProduceResponse topic = new TopicProduceResponse().setName("orders");
        for (Errors error : partitions) {
            topic.partitionResponses()
                    .add(new PartitionProduceResponse()
                            .setIndex(topic.partitionResponses().size())
                            .setErrorCode(error.code()));
        }
        ProduceResponseData data = new ProduceResponseData().setThrottleTimeMs(throttleMs);
        data.responses().add(topic);
        filter.filterResponse(FakeFilteredResponse.to(request, new ProduceResponse(data)));
        return data;
    }

    private void passes(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
