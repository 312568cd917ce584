package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.topic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HighWatermarksTest {
    private static final TopicIdPartition ALONE = new TopicIdPartition(Uuid.randomUuid(), 0, "alone");

    @TempDir
    Path home;

    private TestBroker broker;
    private Path directory;
    private Path file;

    @BeforeEach
    void start() throws Exception {
        broker = new TestBroker(
                home,
                2,
                Map.of("replica.high.watermark.checkpoint.interval.ms", "20"),
                topic(ALONE),
                partition(ALONE, List.of(1), List.of(1)));
        broker.produce((short) 1, ALONE, records("a", "b"));
        directory = Path.of(broker.log(ALONE).parentDir());
        file = directory.resolve("replication-offset-checkpoint");
        await().until(() -> Files.exists(file) && Files.readString(file).contains("alone 0 2"));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() throws Exception {
        FileTime old = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, old);

        await().during(Duration.ofMillis(100))
                .until(() -> Files.getLastModifiedTime(file).equals(old));
    }

    @Test
    void aDirectoryThatIsGoneIsFoundOutWhileNothingChanges() throws Exception {
        assertThat(broker.hasFailed(directory)).isFalse();
        Path elsewhere = home.resolve("elsewhere");

        Files.move(directory, elsewhere);

        await().until(() -> broker.hasFailed(directory));
        Files.move(elsewhere, directory);
    }
}
