package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsOptions;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupSubtopologyDescription;
import org.apache.kafka.clients.admin.StreamsGroupTopologyDescriptionStatus;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.TopicInfo;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Topology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TaskIds;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData.TopologyDescription;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData.TopologyDescriptionNode;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData.TopologyDescriptionSubtopology;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.common.requests.StreamsGroupTopologyDescriptionUpdateRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsGroupIT {
    private static final short VERSION = 1;
    private static final String STORE = "counter-store-changelog";

    private static GregorProcess node;
    private static GroupClients clients;
    private int correlationId;

    @BeforeAll
    static void start(@TempDir Path home) throws Exception {
        node = GregorProcess.start(
                home,
                "group.streams.initial.rebalance.delay.ms=0",
                "group.streams.topology.description.plugin.class=org.apache.kafka.server.streams.InMemoryTopologyDescriptionPlugin");
        clients = new GroupClients(node);
        clients.create("words", 2);
        try (Admin admin = clients.admin()) {
            // the search for the coordinator creates its topic
            admin.listConsumerGroupOffsets("counter")
                    .partitionsToOffsetAndMetadata()
                    .get();
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void internalTopicsAreCreatedTasksAssignedAndTheTopologyDescribed() throws Exception {
        String member = Uuid.randomUuid().toString();
        try (RawClient client = RawClient.connect(node.port());
                Admin admin = clients.admin()) {
            await().atMost(GroupClients.LIMIT).until(() -> tasks(heartbeat(client, joining("counter", member, "words")))
                    .equals(Set.of(0, 1)));
            assertThat(admin.listTopics().names().get()).contains(STORE);

            StreamsGroupDescription described = describe(admin, "counter");
            assertThat(described.groupState()).isIn(GroupState.STABLE, GroupState.RECONCILING);
            assertThat(described.members()).hasSize(1);
            assertThat(described.subtopologies())
                    .singleElement()
                    .extracting(StreamsGroupSubtopologyDescription::sourceTopics)
                    .isEqualTo(List.of("words"));

            tellTopology(client, "counter", member);
            assertThat(describe(admin, "counter").topologyDescriptionStatus())
                    .isEqualTo(StreamsGroupTopologyDescriptionStatus.AVAILABLE);
        }
    }

    @Test
    void topologyWithInternalOrImpossibleTopicsIsRefused() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            String member = Uuid.randomUuid().toString();
            StreamsGroupHeartbeatResponseData internal =
                    heartbeat(client, joining("refused", member, "__consumer_offsets"));
            assertThat(internal.errorCode()).isEqualTo(Errors.STREAMS_INVALID_TOPOLOGY.code());
            assertThat(internal.errorMessage())
                    .isEqualTo(
                            "Use of Kafka internal topics __consumer_offsets in a Kafka Streams topology is prohibited.");

            StreamsGroupHeartbeatResponseData impossible = heartbeat(client, joining("refused", member, "a b"));
            assertThat(impossible.errorCode()).isEqualTo(Errors.STREAMS_INVALID_TOPOLOGY.code());
            assertThat(impossible.errorMessage()).isEqualTo("Topic names a b are not valid topic names.");
        }
    }

    @Test
    void missingSourceTopicIsToldToTheMember() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            String member = Uuid.randomUuid().toString();
            await().atMost(GroupClients.LIMIT)
                    .untilAsserted(() -> assertThat(heartbeat(client, joining("waiting", member, "not-there"))
                                    .status())
                            .extracting(StreamsGroupHeartbeatResponseData.Status::statusCode)
                            .contains(StreamsGroupHeartbeatResponse.Status.MISSING_SOURCE_TOPICS.code()));
        }
    }

    private static StreamsGroupHeartbeatRequestData joining(String group, String member, String source) {
        return new StreamsGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setMemberEpoch(0)
                .setProcessId(member)
                .setRebalanceTimeoutMs(1000)
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setTopology(new Topology()
                        .setEpoch(1)
                        .setSubtopologies(List.of(new Subtopology()
                                .setSubtopologyId("0")
                                .setSourceTopics(List.of(source))
                                .setStateChangelogTopics(
                                        List.of(new TopicInfo().setName(STORE).setReplicationFactor((short) 1))))));
    }

    private StreamsGroupHeartbeatResponseData heartbeat(RawClient client, StreamsGroupHeartbeatRequestData data)
            throws IOException {
        StreamsGroupHeartbeatRequest request = new StreamsGroupHeartbeatRequest.Builder(data).build(VERSION);
        return ((StreamsGroupHeartbeatResponse) client.call(request, correlationId++)).data();
    }

    private static Set<Integer> tasks(StreamsGroupHeartbeatResponseData answer) {
        List<TaskIds> active = answer.activeTasks() == null ? List.of() : answer.activeTasks();
        return active.isEmpty() ? Set.of() : Set.copyOf(active.get(0).partitions());
    }

    private void tellTopology(RawClient client, String group, String member) throws IOException {
        StreamsGroupTopologyDescriptionUpdateRequestData data = new StreamsGroupTopologyDescriptionUpdateRequestData()
                .setGroupId(group)
                .setMemberId(member)
                .setTopologyEpoch(1)
                .setTopologyDescription(new TopologyDescription()
                        .setSubtopologies(List.of(new TopologyDescriptionSubtopology()
                                .setSubtopologyId("0")
                                .setNodes(List.of(new TopologyDescriptionNode()
                                        .setName("source")
                                        .setNodeType((byte) 1)
                                        .setSourceTopics(List.of("words")))))));
        assertThat(client.call(
                                new StreamsGroupTopologyDescriptionUpdateRequest.Builder(data).build((short) 0),
                                correlationId++)
                        .errorCounts())
                .containsOnlyKeys(Errors.NONE);
    }

    private static StreamsGroupDescription describe(Admin admin, String group) throws Exception {
        return admin.describeStreamsGroups(
                        List.of(group), new DescribeStreamsGroupsOptions().includeTopologyDescription(true))
                .all()
                .get()
                .get(group);
    }
}
