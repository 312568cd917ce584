package io.gregor.storage.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveLogSettingsTest {
    @TempDir
    Path home;

    private TestLogs logs;

    @BeforeEach
    void setUp() {
        logs = new TestLogs(home, directory -> {});
    }

    private PreparedChange prepare(
            LogStore store, Map<String, String> before, Map<String, String> after, boolean isReplay) {
        return store.liveSettings()
                .prepare(new ConfigChange(logs.node(2, before), logs.node(2, after), after.keySet(), isReplay));
    }

    private void change(LogStore store, String key, String value) {
        prepare(store, Map.of(), Map.of(key, value), false).commit();
    }

    @Test
    void ownsDefaultsOfTopicsAndWorkersAndNothingElse() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            assertThat(Set.of(
                            "log.retention.hours",
                            "log.local.retention.ms",
                            "message.max.bytes",
                            "min.insync.replicas",
                            "background.threads"))
                    .allMatch(store.liveSettings()::owns);
            assertThat(Set.of("log.cleaner.enable", "num.io.threads", "retention.ms"))
                    .noneMatch(store.liveSettings()::owns);
        }
    }

    @Test
    void ownsNothingOfACleanerThatIsSwitchedOff() throws Exception {
        try (LogStore store = logs.open(2, Map.of("log.cleaner.enable", "false"))) {
            assertThat(store.liveSettings().owns("log.cleaner.threads")).isFalse();
        }
    }

    @Test
    void newDefaultsReachLogsThatAreThereAndThoseThatCome() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));
            UnifiedLog old = TestLogs.create(store, 0);

            change(store, "log.retention.ms", "777");

            assertThat(old.config().retentionMs).isEqualTo(777);
            assertThat(TestLogs.create(store, 1).config().retentionMs).isEqualTo(777);
        }
    }

    @Test
    void whatATopicHasOfItsOwnStays() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));
            UnifiedLog log = TestLogs.create(store);
            Properties own = new Properties();
            own.put("retention.ms", "5");
            store.topicConfigChanged("t", own);

            prepare(store, Map.of(), Map.of("log.retention.ms", "777", "log.retention.bytes", "888"), false)
                    .commit();

            assertThat(log.config().retentionMs).isEqualTo(5);
            assertThat(log.config().retentionSize).isEqualTo(888);
            store.topicConfigChanged("t", new Properties());
            assertThat(log.config().retentionMs).isEqualTo(777);
        }
    }

    @Test
    void whatChangedBeforeTheLogsWereLoadedCountsForThem() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));
            TestLogs.create(store);
        }
        try (LogStore store = logs.open(2, Map.of())) {
            Map<String, String> stored = Map.of("log.retention.ms", "777", "log.cleaner.threads", "3");
            prepare(store, Map.of(), stored, true).commit();

            store.start(TestLogs.topicOn(1));

            assertThat(store.manager().getLog(TestLogs.PARTITION).orElseThrow().config().retentionMs)
                    .isEqualTo(777);
            assertThat(store.manager().cleaner().currentConfig().numThreads).isEqualTo(3);
        }
    }

    @Test
    void poolsChangeToHalfOrDoubleUnlessItIsAReplay() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            Map<String, String> wanted = Map.of("background.threads", "4");

            assertThatThrownBy(() -> prepare(store, Map.of(), wanted, false))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("background.threads=4, value should be at least half the current value 10");
            assertThat(prepare(store, Map.of(), wanted, true)).isNotNull();
        }
    }

    @Test
    void cleanerThreadsAreRefusedInKafkasWords() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));

            assertThatThrownBy(() -> change(store, "log.cleaner.threads", "3"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("Log cleaner threads cannot be increased to more than double the current value 1");
        }
    }

    @Test
    void cleanerThatSleepsGoesOnSleepingWithItsNewSettings() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));

            change(store, "log.cleaner.threads", "2");

            DormantLogCleaner cleaner = (DormantLogCleaner) store.manager().cleaner();
            assertThat(cleaner.currentConfig().numThreads).isEqualTo(2);
            assertThat(cleaner.isAwake()).isFalse();
            assertThat(cleaner.cleanerCount()).isZero();
        }
    }

    @Test
    void cleanerThatWorksGetsTheNewNumberOfThreads() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));
            DormantLogCleaner cleaner = (DormantLogCleaner) store.manager().cleaner();
            UnifiedLog log = TestLogs.create(store);
            Properties compacted = new Properties();
            compacted.put("cleanup.policy", "compact");
            store.topicConfigChanged("t", compacted);
            SimpleRecord record = new SimpleRecord("k".getBytes(UTF_8), "v".getBytes(UTF_8));
            log.appendAsLeader(MemoryRecords.withRecords(Compression.NONE, record), 0);
            log.roll();
            cleaner.wakeIfNeeded();

            change(store, "log.cleaner.threads", "2");

            assertThat(cleaner.cleanerCount()).isEqualTo(2);
        }
    }

    @Test
    void producersAreForgottenAfterTheNewTime() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            change(store, "producer.id.expiration.ms", "4321");

            assertThat(store.manager().producerStateManagerConfig().producerIdExpirationMs())
                    .isEqualTo(4321);
        }
    }

    @Test
    void cordonedDirectoriesGetNoNewLogsAndAreTold() throws Exception {
        try (LogStore store = logs.open(2, Map.of())) {
            store.start(TestLogs.topicOn(1));
            String cordoned = logs.path(0).toString();
            List<Set<Uuid>> told = new ArrayList<>();
            store.onCordoned(told::add);

            change(store, "cordoned.log.dirs", cordoned);

            assertThat(told).containsExactly(Set.of(logs.ids().get(cordoned)));
            assertThat(TestLogs.create(store, 0).parentDir()).isNotEqualTo(cordoned);
            assertThat(TestLogs.create(store, 1).parentDir()).isNotEqualTo(cordoned);
        }
    }

    @Test
    void whoComesLaterIsToldWhatIsCordonedSinceTheStart() throws Exception {
        String cordoned = logs.path(1).toString();
        try (LogStore store = logs.open(2, Map.of("cordoned.log.dirs", cordoned))) {
            List<Set<Uuid>> told = new ArrayList<>();

            store.onCordoned(told::add);

            assertThat(told).containsExactly(Set.of(logs.ids().get(cordoned)));
        }
    }
}
