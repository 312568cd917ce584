package io.gregor.transactions.internal;

import io.gregor.testing.Fake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ScheduledFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;

/** Opens a log of Kafka's in a test's directory. */
final class TestLog {
    static final int EXPIRATION_MS = 86_400_000;
    private static final int TRANSACTION_TIMEOUT_MS = 900_000;
    private static final int CHECK_INTERVAL_MS = 600_000;

    private TestLog() {}

    /** The empty log of partition t-0; nothing is done in the background. */
    static UnifiedLog open(Path directory, ProducerStateManagerConfig producers) throws IOException {
        return UnifiedLog.create(
                Files.createDirectory(directory.resolve("t-0")).toFile(),
                new LogConfig(new Properties()),
                0,
                0,
                scheduler(new ArrayList<>()),
                new BrokerTopicStats(),
                Time.SYSTEM,
                TRANSACTION_TIMEOUT_MS,
                producers,
                CHECK_INTERVAL_MS,
                new LogDirFailureChannel(1),
                true,
                Optional.of(Uuid.randomUuid()));
    }

    /** A scheduler that only remembers its work. */
    static Scheduler scheduler(List<Runnable> work) {
        return Fake.of(Scheduler.class, (proxy, method, arguments) -> {
            work.add((Runnable) arguments[1]);
            return Fake.of(ScheduledFuture.class, (future, asked, with) -> true);
        });
    }
}
