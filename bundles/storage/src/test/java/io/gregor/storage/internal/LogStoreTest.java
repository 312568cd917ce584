package io.gregor.storage.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.storage.DirectoryRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogStoreTest {
    @TempDir
    Path home;

    private final List<String> events = new CopyOnWriteArrayList<>();
    private TestLogs logs;

    @BeforeEach
    void setUp() {
        logs = new TestLogs(home, directory -> events.add("all"));
    }

    private LogStore open(int directories) throws Exception {
        return logs.open(directories, Map.of());
    }

    @Test
    void knowsItsDirectoriesAndNoFormerEpochAtFirst() throws Exception {
        try (LogStore store = open(2)) {
            assertThat(store.ids()).isEqualTo(logs.ids());
            assertThat(store.previousBrokerEpoch()).isEqualTo(OptionalLong.empty());
        }
    }

    @Test
    void remembersTheEpochOfACleanStop() throws Exception {
        try (LogStore store = open(2)) {
            store.start(MetadataImage.EMPTY);
            store.brokerEpoch(17);
        }

        try (LogStore store = open(2)) {
            assertThat(store.previousBrokerEpoch()).isEqualTo(OptionalLong.of(17));
        }
    }

    @Test
    void doesNotCallAStopCleanThatLoadedNoLogs() throws Exception {
        try (LogStore store = open(1)) {
            store.brokerEpoch(17);
        }

        assertThat(home.resolve("logs0/.kafka_cleanshutdown")).doesNotExist();
    }

    @Test
    void locksItsDirectories() throws Exception {
        try (LogStore store = open(1)) {
            assertThat(store.ids()).hasSize(1);
            assertThat(catchThrowable(() -> open(1))).hasMessageContaining("Failed to acquire lock");
        }
        try (LogStore store = open(1)) {
            assertThat(store.ids()).hasSize(1);
        }
    }

    @Test
    void putsLogsAsideThatBelongToAnotherBroker() throws Exception {
        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(1));
            TestLogs.create(store);
        }

        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(2));

            assertThat(store.manager().getLog(TestLogs.PARTITION)).isEmpty();
            assertThat(home.resolve("logs0").toFile().list()).anyMatch(name -> name.endsWith("-stray"));
        }
    }

    @Test
    void loadsLogsThatBelongHere() throws Exception {
        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(1));
            TestLogs.create(store);
        }

        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(1));

            assertThat(store.manager().getLog(TestLogs.PARTITION)).isPresent();
        }
    }

    @Test
    void changedTopicSettingsReachTheLogs() throws Exception {
        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(1));
            UnifiedLog log = TestLogs.create(store);
            Properties settings = new Properties();
            settings.put("retention.ms", "1234");

            store.topicConfigChanged("t", settings);

            assertThat(log.config().retentionMs).isEqualTo(1234);
        }
    }

    @Test
    void partitionsGoOfflineBeforeADirectoryFailureIsTold() throws Exception {
        try (LogStore store = open(2)) {
            store.start(MetadataImage.EMPTY);
            String failed = home.resolve("logs1").toFile().getAbsolutePath();
            store.beforeFailure(directory -> events.add(
                    "offline " + directory.equals(failed) + store.manager().isLogDirOnline(failed)));
            store.onFailure(id -> events.add("told " + id.equals(logs.ids().get(failed))));

            store.directoryFailures().maybeAddOfflineLogDir(failed, "test", new IOException("broken"));

            await().untilAsserted(() -> assertThat(events).containsExactly("offline truetrue", "told true"));
            assertThat(store.ids()).hasSize(1).doesNotContainKey(failed);
        }
    }

    @Test
    void directoriesAreShownWithTheirStateAndWhatIsInThem() throws Exception {
        try (LogStore store =
                logs.open(3, Map.of("cordoned.log.dirs", logs.path(1).toString()))) {
            store.start(TestLogs.topicOn(1));
            UnifiedLog log = TestLogs.create(store);
            log.appendAsLeader(MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("v".getBytes(UTF_8))), 0);
            String serving = log.parentDir();
            String other = serving.equals(path(0)) ? path(2) : path(0);
            store.manager().maybeUpdatePreferredLogDir(TestLogs.PARTITION, other);
            store.manager().getOrCreateLog(TestLogs.PARTITION, true, true, log.topicId());

            assertThat(store.rows())
                    .containsExactlyInAnyOrder(
                            new DirectoryRow(serving, id(serving), "online", 1, log.size(), 0),
                            new DirectoryRow(path(1), id(path(1)), "cordoned", 0, 0, 0),
                            new DirectoryRow(other, id(other), "online", 0, 0, 1));
            assertThat(log.size()).isPositive();
            assertThat(store.rows()).extracting(DirectoryRow::path).containsExactly(path(0), path(1), path(2));

            store.directoryFailures().maybeAddOfflineLogDir(other, "test", new IOException("broken"));

            await().untilAsserted(() ->
                    assertThat(store.rows()).contains(new DirectoryRow(other, id(other), "failed", 0, 0, 0)));
        }
    }

    private String path(int directory) {
        return logs.path(directory).toFile().getAbsolutePath();
    }

    private Optional<Uuid> id(String path) {
        return Optional.of(logs.ids().get(path));
    }

    @Test
    void nodeEndsWithItsLastDirectory() throws Exception {
        try (LogStore store = open(1)) {
            store.start(MetadataImage.EMPTY);
            String failed = home.resolve("logs0").toFile().getAbsolutePath();

            store.directoryFailures().maybeAddOfflineLogDir(failed, "test", new IOException("broken"));

            await().untilAsserted(() -> assertThat(events).containsExactly("all"));
        }
    }

    @Test
    void cleanerSleepsUntilACompactedLogHasAFinishedSegment() throws Exception {
        try (LogStore store = open(1)) {
            store.start(TestLogs.topicOn(1));
            DormantLogCleaner cleaner = (DormantLogCleaner) store.manager().cleaner();
            Properties settings = new Properties();
            settings.put("cleanup.policy", "compact");
            UnifiedLog log = TestLogs.create(store);
            store.topicConfigChanged("t", settings);
            cleaner.wakeIfNeeded();
            assertThat(cleaner.isAwake()).isFalse();
            assertThat(cleaner.cleanerCount()).isZero();

            log.appendAsLeader(
                    MemoryRecords.withRecords(
                            Compression.NONE, new SimpleRecord("k".getBytes(UTF_8), "v".getBytes(UTF_8))),
                    0);
            log.roll();
            cleaner.wakeIfNeeded();

            assertThat(cleaner.isAwake()).isTrue();
            assertThat(cleaner.cleanerCount()).isEqualTo(1);
        }
    }
}
