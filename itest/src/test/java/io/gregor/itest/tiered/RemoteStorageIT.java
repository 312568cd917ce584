package io.gregor.itest.tiered;

import static io.gregor.itest.tiered.TieredClients.FIRST_MS;
import static io.gregor.itest.tiered.TieredClients.LIMIT;
import static io.gregor.itest.tiered.TieredClients.RECORDS;
import static io.gregor.itest.tiered.TieredClients.TIERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One node with remote storage, its plugin a bundle in deploy/: every byte comes back, whatever happens in between. */
class RemoteStorageIT {
    @TempDir
    static Path home;

    private static GregorProcess node;
    private static TieredClients clients;

    @BeforeAll
    static void start() throws Exception {
        List<String> settings = new ArrayList<>(TieredClients.deploy(home));
        settings.add("remote.log.metadata.manager.listener.name=PLAINTEXT");
        settings.add("broker.heartbeat.interval.ms=500");
        settings.add("broker.session.timeout.ms=3000");
        node = GregorProcess.start(home, settings.toArray(String[]::new));
        clients = new TieredClients(home, Map.of("bootstrap.servers", node.bootstrap()));
    }

    @AfterAll
    static void stop() {
        clients.close();
        node.close();
    }

    @Test
    void whatWentRemoteIsReadFoundAndDeleted() throws Exception {
        clients.create("read", TIERED);
        clients.produce("read");
        clients.awaitLocalStart("read", 1_500);

        assertThat(clients.consumed("read")).isEqualTo(RECORDS);
        assertThat(clients.offset("read", OffsetSpec.earliest())).isZero();
        assertThat(clients.offset("read", OffsetSpec.forTimestamp(FIRST_MS + 500)))
                .isEqualTo(500);
        assertThat(clients.offset("read", OffsetSpec.latestTiered())).isGreaterThanOrEqualTo(1_499);

        assertThat(clients.files("read")).isPositive();
        clients.admin().deleteTopics(List.of("read")).all().get();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(clients.files("read")).isZero());
    }

    @Test
    void anUploadThatAKillInterruptedIsMadeAgain() throws Exception {
        Files.createDirectories(clients.remote());
        Path hold = Files.createFile(clients.remote().resolve("hold"));
        clients.create("killed", TIERED);
        clients.produce("killed");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(clients.files("killed")).isPositive());

        node.kill();
        Files.delete(hold);
        node.restart();

        clients.awaitLocalStart("killed", 1_500);
        assertThat(clients.consumed("killed")).isEqualTo(RECORDS);
    }

    @Test
    void aTopicIsTieredAndNoLongerWhileItLives() throws Exception {
        clients.create("live", Map.of("segment.bytes", "1048576", "file.delete.delay.ms", "100"));
        clients.produce("live");
        clients.alter("live", "remote.storage.enable=true", "local.retention.bytes=1");
        clients.awaitLocalStart("live", 1_500);
        assertThat(clients.consumed("live")).isEqualTo(RECORDS);

        assertThatThrownBy(() -> clients.alter("live", "remote.storage.enable=false"))
                .hasCauseInstanceOf(InvalidConfigurationException.class);
        clients.alter("live", "remote.storage.enable=false", "remote.log.delete.on.disable=true");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(clients.files("live")).isZero());
        long start = clients.offset("live", OffsetSpec.earliest());
        assertThat(start).isGreaterThanOrEqualTo(1_500);
        assertThat(clients.consumed("live")).isEqualTo(RECORDS - start);
    }

    @Test
    void shareGroupsReadWhatIsRemote() throws Exception {
        clients.create("shared", TIERED);
        clients.alter(ConfigResource.Type.GROUP, "shared", "share.auto.offset.reset=earliest");
        clients.produce("shared");
        clients.awaitLocalStart("shared", 1_500);

        Set<Long> seen = new HashSet<>();
        try (KafkaShareConsumer<byte[], byte[]> member = new KafkaShareConsumer<>(
                clients.with("group.id", "shared"), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            member.subscribe(List.of("shared"));
            await().atMost(LIMIT).until(() -> {
                for (ConsumerRecord<byte[], byte[]> record : member.poll(Duration.ofMillis(500))) {
                    assertThat(record.value()).isEqualTo(TieredClients.value(record.offset()));
                    assertThat(seen.add(record.offset())).isTrue();
                }
                return seen.size() == RECORDS;
            });
        }
    }

    @Test
    void quotasCountFromTheirChangeOn() throws Exception {
        quota("copy", 1);
        clients.create("held", TIERED);
        clients.produce("held");
        await().atMost(LIMIT).until(() -> clients.files("held") > 0);
        await().during(Duration.ofSeconds(2)).until(() -> clients.offset("held", OffsetSpec.earliestLocal()) < 1_500);

        quota("copy", Long.MAX_VALUE);
        clients.awaitLocalStart("held", 1_500);

        quota("fetch", 1);
        CompletableFuture<Long> consumed = Background.supply(() -> clients.consumed("held"));
        await().during(Duration.ofSeconds(2)).until(() -> !consumed.isDone());
        quota("fetch", Long.MAX_VALUE);
        assertThat(consumed.get()).isEqualTo(RECORDS);
    }

    private static void quota(String what, long bytesPerSecond) throws Exception {
        clients.alter(
                ConfigResource.Type.BROKER,
                "",
                "remote.log.manager." + what + ".max.bytes.per.second=" + bytesPerSecond);
    }
}
