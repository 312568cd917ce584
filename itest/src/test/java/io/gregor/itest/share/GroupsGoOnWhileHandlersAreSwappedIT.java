package io.gregor.itest.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.plugins.RebuiltBundle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Topology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatResponse;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundles that serve records and groups are replaced while groups of all three new kinds work. */
class GroupsGoOnWhileHandlersAreSwappedIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String TOPIC = "swapped";
    private static final short VERSION = 1;

    @TempDir
    private Path home;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicInteger produced = new AtomicInteger();
    private final AtomicInteger heartbeats = new AtomicInteger();
    private final Set<String> shared = ConcurrentHashMap.newKeySet();
    private final Set<String> consumed = ConcurrentHashMap.newKeySet();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    @Test
    void noMemberNoticesAndNothingIsLostOrGivenTwice() throws Exception {
        try (GregorProcess node = GregorProcess.start(
                home, "group.streams.initial.rebalance.delay.ms=0", "share.coordinator.state.topic.num.partitions=2")) {
            ShareClients clients = new ShareClients(node);
            clients.create(TOPIC, 0);
            try (Admin admin = clients.admin()) {
                // the search for the coordinator creates its topic
                admin.listConsumerGroupOffsets("any")
                        .partitionsToOffsetAndMetadata()
                        .get();
            }
            List<CompletableFuture<Void>> members = List.of(
                    Background.run(() -> share(clients)),
                    Background.run(() -> share(clients)),
                    Background.run(() -> consume(node)),
                    Background.run(() -> stream(node)));
            for (String bundle : List.of("handlers-data", "handlers-groups")) {
                goOn(clients);
                RebuiltBundle.of(bundle, "io.gregor.itest." + bundle, 10)
                        .drop(home.resolve("deploy"), bundle + ".jar", "1.0.0");
                awaitServed(bundle, "io.gregor.itest." + bundle);
                goOn(clients);
                Files.delete(home.resolve("deploy").resolve(bundle + ".jar"));
                awaitServed(bundle, "io.gregor." + bundle);
            }
            goOn(clients);
            isOver.set(true);
            for (CompletableFuture<Void> member : members) {
                assertThat(member).succeedsWithin(LIMIT);
            }
            try (Admin admin = clients.admin()) {
                assertThat(ShareClients.lag(admin, TOPIC)).isZero();
            }
        }
        assertThat(faults).isEmpty();
    }

    /** Produces some more, until all members have done with them. */
    private void goOn(ShareClients clients) {
        int from = produced.get();
        clients.produce(TOPIC, from, produced.addAndGet(500));
        int beats = heartbeats.get();
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(faults).isEmpty();
            assertThat(shared).hasSize(produced.get());
            assertThat(consumed).hasSize(produced.get());
            assertThat(heartbeats).hasValueGreaterThan(beats);
        });
    }

    private void share(ShareClients clients) {
        try (KafkaShareConsumer<String, String> member = clients.member(TOPIC, "implicit")) {
            member.setAcknowledgementCommitCallback((offsets, fault) -> {
                if (fault != null) {
                    faults.add("not acknowledged: " + offsets + " " + fault);
                }
            });
            while (!isOver.get()) {
                member.poll(POLL).forEach(record -> {
                    if (!shared.add(record.value())) {
                        faults.add("given twice: " + record);
                    }
                });
            }
        }
    }

    private void consume(GregorProcess node) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", node.bootstrap(),
                "group.id", "consumers",
                "group.protocol", "consumer",
                "auto.commit.interval.ms", 100,
                "auto.offset.reset", "earliest");
        try (KafkaConsumer<String, String> member =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            member.subscribe(List.of(TOPIC));
            while (!isOver.get()) {
                member.poll(POLL).forEach(record -> {
                    if (!consumed.add(record.value())) {
                        faults.add("consumed twice: " + record);
                    }
                });
            }
        }
    }

    private void stream(GregorProcess node) {
        String member = Uuid.randomUuid().toString();
        StreamsGroupHeartbeatRequestData next = joining(member);
        try (RawClient client = RawClient.connect(node.port())) {
            while (!isOver.get()) {
                StreamsGroupHeartbeatRequest request = new StreamsGroupHeartbeatRequest.Builder(next).build(VERSION);
                StreamsGroupHeartbeatResponseData answer =
                        ((StreamsGroupHeartbeatResponse) client.call(request, heartbeats.incrementAndGet())).data();
                if (answer.errorCode() != Errors.NONE.code()) {
                    faults.add("heartbeat: " + answer);
                }
                next = new StreamsGroupHeartbeatRequestData()
                        .setGroupId("streams")
                        .setMemberId(member)
                        .setMemberEpoch(answer.memberEpoch());
                LockSupport.parkNanos(POLL.toNanos());
            }
        } catch (Exception fault) {
            faults.add("heartbeat: " + fault);
        }
    }

    private static StreamsGroupHeartbeatRequestData joining(String member) {
        return new StreamsGroupHeartbeatRequestData()
                .setGroupId("streams")
                .setMemberId(member)
                .setMemberEpoch(0)
                .setProcessId(member)
                .setRebalanceTimeoutMs(1000)
                .setActiveTasks(List.of())
                .setStandbyTasks(List.of())
                .setWarmupTasks(List.of())
                .setTopology(new Topology()
                        .setEpoch(1)
                        .setSubtopologies(
                                List.of(new Subtopology().setSubtopologyId("0").setSourceTopics(List.of(TOPIC)))));
    }

    /** Waits until all that a bundle serves is served by the one with this symbolic name. */
    private void awaitServed(String bundle, String name) {
        String key = bundle.equals("handlers-data") ? "broker +(0|78) .*" : "broker +(68|76|88) .*";
        await().atMost(LIMIT).untilAsserted(() -> assertThat(
                        ShellSocket.call(home, "handler:list").output().lines())
                .filteredOn(line -> line.matches(key))
                .hasSize(bundle.equals("handlers-data") ? 2 : 3)
                .allMatch(line -> line.contains(name + " ")));
    }
}
