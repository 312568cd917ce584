package io.gregor.storage.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.storage.LiveRemoteSettings;
import io.gregor.testing.Fake;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.apache.kafka.server.quota.QuotaType;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.RemoteStorageFetchInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveRemoteSettingsTest {
    private static final Map<String, String> START = Map.of(
            "remote.log.storage.system.enable", "true",
            "remote.log.storage.manager.class.name", EmptyStorage.class.getName(),
            "rlmm.config.remote.log.metadata.common.client.bootstrap.servers", "127.0.0.1:1",
            "remote.log.reader.threads", "1");

    @TempDir
    Path home;

    private final Metrics metrics = new Metrics();
    private TestLogs logs;
    private LogStore local;
    private RemoteLogStore remote;
    private LiveRemoteSettings settings;

    @BeforeEach
    void start() throws Exception {
        logs = new TestLogs(home, directory -> {});
        local = logs.open(1, START);
        BoundListeners bound = Fake.of(BoundListeners.class, (proxy, method, arguments) -> null);
        remote = new RemoteLogStore(
                logs.node(1, START), "c", local, metrics, bound, LiveRemoteSettingsTest.class.getClassLoader());
        settings = new LiveRemoteSettings(logs.node(1, START));
        settings.serve(remote, logs.node(1, START));
    }

    @AfterEach
    void stop() {
        remote.close();
        local.close();
        metrics.close();
    }

    private PreparedChange prepare(String key, String value, boolean isReplay) {
        Map<String, String> after = new HashMap<>(START);
        after.put(key, value);
        return settings.prepare(new ConfigChange(logs.node(1, START), logs.node(1, after), Set.of(key), isReplay));
    }

    private void change(String key, String value) {
        prepare(key, value, false).commit();
    }

    private double limit(QuotaType type, String description) {
        return metrics.metric(metrics.metricName("byte-rate", type.toString(), description, Map.of()))
                .config()
                .quota()
                .bound();
    }

    @Test
    void ownsWhatKafkaChangesLive() {
        assertThat(Set.of(
                        "remote.log.manager.copy.max.bytes.per.second",
                        "remote.log.manager.fetch.max.bytes.per.second",
                        "remote.log.index.file.cache.total.size.bytes",
                        "remote.log.reader.threads",
                        "remote.log.manager.copier.thread.pool.size",
                        "remote.log.manager.expiration.thread.pool.size",
                        "remote.log.manager.follower.thread.pool.size",
                        "remote.fetch.max.wait.ms",
                        "remote.list.offsets.request.timeout.ms"))
                .allMatch(settings::owns);
        assertThat(Set.of("remote.log.storage.system.enable", "rsm.config.a", "log.local.retention.ms"))
                .noneMatch(settings::owns);
    }

    @Test
    void waitsOfRequestsCountAtOnce() {
        change("remote.fetch.max.wait.ms", "77");
        assertThat(remote.fetchMaxWaitMs()).isEqualTo(77);

        change("remote.list.offsets.request.timeout.ms", "88");
        assertThat(remote.listOffsetsTimeoutMs()).isEqualTo(88);
    }

    @Test
    void whatChangesBeforeTheStoreIsThereCountsFromItsStart() {
        settings.leave();
        change("remote.fetch.max.wait.ms", "77");
        assertThat(remote.fetchMaxWaitMs()).isEqualTo(500);

        settings.serve(remote, logs.node(1, START));

        assertThat(remote.fetchMaxWaitMs()).isEqualTo(77);
    }

    @Test
    void quotaOfFetchesCountsAtOnce() {
        assertThat(remote.manager().getFetchThrottleTimeMs()).isZero();

        change("remote.log.manager.fetch.max.bytes.per.second", "1234");

        assertThat(limit(QuotaType.RLM_FETCH, "Tracking fetch byte-rate for Remote Log Manager"))
                .isEqualTo(1234);
    }

    @Test
    void moreReadersReadWhatIsQueued() {
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger reading = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            remote.manager().asyncRead(anywhere(), result -> {
                reading.incrementAndGet();
                await().until(() -> held.getCount() == 0);
            });
        }
        await().until(() -> reading.get() == 1);

        change("remote.log.reader.threads", "2");

        await().until(() -> reading.get() == 2);
        held.countDown();
    }

    private static RemoteStorageFetchInfo anywhere() {
        TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), 0, "nowhere");
        return new RemoteStorageFetchInfo(
                1,
                true,
                partition,
                new FetchRequest.PartitionData(partition.topicId(), 0, -1, 1, Optional.empty()),
                FetchIsolation.HIGH_WATERMARK);
    }

    @Test
    void poolsChangeToHalfOrDoubleUnlessItIsAReplay() {
        for (String pool : Set.of(
                "remote.log.manager.copier.thread.pool.size",
                "remote.log.manager.expiration.thread.pool.size",
                "remote.log.manager.follower.thread.pool.size",
                "remote.log.reader.threads")) {
            assertThatThrownBy(() -> change(pool, "100"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("Dynamic thread count update validation failed for " + pool
                            + "=100, value should not be greater than double the current value");
            assertThat(prepare(pool, "100", true)).isNotNull();
        }
    }

    /** A plugin that has no segments. */
    public static final class EmptyStorage implements RemoteStorageManager {
        @Override
        public void configure(Map<String, ?> configs) {}

        @Override
        public Optional<CustomMetadata> copyLogSegmentData(RemoteLogSegmentMetadata metadata, LogSegmentData data) {
            return Optional.empty();
        }

        @Override
        public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start)
                throws RemoteResourceNotFoundException {
            throw new RemoteResourceNotFoundException("empty");
        }

        @Override
        public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int start, int end)
                throws RemoteResourceNotFoundException {
            throw new RemoteResourceNotFoundException("empty");
        }

        @Override
        public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType type)
                throws RemoteResourceNotFoundException {
            throw new RemoteResourceNotFoundException("empty");
        }

        @Override
        public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata) {}

        @Override
        public void close() {}
    }
}
