package io.gregor.handlers.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.broker.StreamsTopicCreation;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.Status;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.coordinator.group.streams.StreamsGroupHeartbeatResult;
import org.junit.jupiter.api.Test;

class StreamsTopicsTest {
    private static final RequestContext WHO = FakeRequest.context(ApiKeys.STREAMS_GROUP_HEARTBEAT, 1, "PLAINTEXT");
    private static final byte MISSING = StreamsGroupHeartbeatResponse.Status.MISSING_INTERNAL_TOPICS.code();

    private final List<String> created = new ArrayList<>();
    private final Map<String, String> errors = new LinkedHashMap<>();
    private final FakeAuthorization authorization = new FakeAuthorization();
    private final GroupConfigManager configs = new GroupConfigManager(
            new GroupCoordinatorConfig(FakeNodeConfig.of().values()),
            new ShareGroupConfig(FakeNodeConfig.of().values()));
    private final StreamsTopics topics = new StreamsTopics(new Creation(), authorization, configs, FakeNodeConfig.of());

    @Test
    void createsWhatIsMissingAndKeepsErrorsForTwoHeartbeats() {
        assertThat(details(missing("a missing"), "a")).containsExactly("a missing");
        assertThat(created).containsExactly("a for 10000");
    }

    @Test
    void intervalOfTheGroupCounts() {
        Properties own = new Properties();
        own.setProperty("streams.heartbeat.interval.ms", "6000");
        configs.updateGroupConfig("g", own);

        details(missing("a missing"), "a");

        assertThat(created).containsExactly("a for 12000");
    }

    @Test
    void nothingIsCreatedWithoutTheRightToAllOfIt() {
        authorization.deny("CREATE CLUSTER kafka-cluster").deny("CREATE TOPIC b");

        assertThat(details(missing("a, b missing"), "a", "b"))
                .containsExactly("a, b missing; Unauthorized to CREATE on topics b.");
        assertThat(details(new StreamsGroupHeartbeatResponseData(), "b"))
                .containsExactly("Unauthorized to CREATE on topics b.");
        assertThat(created).isEmpty();
    }

    @Test
    void errorsOfAnAttemptBeforeAreToldThreeByName() {
        errors.put("a", "no");
        assertThat(details(missing("missing"), "a")).containsExactly("missing; Creation failed: a (no).");

        errors.putAll(Map.of("b", "no", "c", "no", "d", "no", "e", "no"));
        assertThat(details(missing("missing"), "a"))
                .singleElement()
                .asString()
                .startsWith("missing; Creation failed: a (no), ")
                .endsWith(" and 2 more.");
    }

    private List<String> details(StreamsGroupHeartbeatResponseData answer, String... names) {
        Map<String, CreatableTopic> wanted = new LinkedHashMap<>();
        for (String name : names) {
            wanted.put(name, new CreatableTopic().setName(name));
        }
        return topics.create(WHO, "g", new StreamsGroupHeartbeatResult(answer, wanted, 0, 0, 0)).status().stream()
                .map(Status::statusDetail)
                .toList();
    }

    private static StreamsGroupHeartbeatResponseData missing(String detail) {
        return new StreamsGroupHeartbeatResponseData()
                .setStatus(List.of(new Status().setStatusCode(MISSING).setStatusDetail(detail)));
    }

    private final class Creation implements StreamsTopicCreation {
        @Override
        public void create(Map<String, CreatableTopic> wanted, RequestContext who, long keepErrorsMs) {
            wanted.keySet().forEach(name -> created.add(name + " for " + keepErrorsMs));
        }

        @Override
        public Map<String, String> errors(Set<String> names) {
            return errors;
        }
    }
}
