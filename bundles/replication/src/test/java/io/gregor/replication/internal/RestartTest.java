package io.gregor.replication.internal;

import static io.gregor.replication.internal.TestBroker.from;
import static io.gregor.replication.internal.TestBroker.idempotent;
import static io.gregor.replication.internal.TestBroker.partition;
import static io.gregor.replication.internal.TestBroker.records;
import static io.gregor.replication.internal.TestBroker.topic;
import static io.gregor.replication.internal.TestBroker.values;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
    private static final short ALL = -1;
    private static final TopicIdPartition ALONE = new TopicIdPartition(Uuid.randomUuid(), 0, "alone");
    private static final TopicIdPartition FOLLOWED = new TopicIdPartition(Uuid.randomUuid(), 0, "followed");
    private static final ApiMessage[] METADATA = {
        topic(ALONE),
        partition(ALONE, List.of(1), List.of(1)),
        topic(FOLLOWED),
        partition(FOLLOWED, List.of(2, 1), List.of(2, 1))
    };

    @TempDir
    Path home;

    @TempDir
    Path crashed;

    @Test
    void servesEverythingAfterACleanStop() throws Exception {
        try (TestBroker broker = new TestBroker(home, 1, METADATA)) {
            broker.produce(ALL, ALONE, records("a", "b"));
        }

        try (TestBroker broker = new TestBroker(home, 1, METADATA)) {
            assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b");
            assertThat(broker.fetch(from(ALONE, 0)).highWatermark).isEqualTo(2);
        }
    }

    @Test
    void writesHighWatermarksDownAndStartsFromThem() throws Exception {
        try (TestBroker broker = new TestBroker(home, 1, METADATA)) {
            broker.produce(ALL, ALONE, records("a", "b"));
        }
        assertThat(home.resolve("logs0/replication-offset-checkpoint"))
                .content()
                .contains("alone 0 2");

        try (TestBroker broker = new TestBroker(home, 1, METADATA)) {
            assertThat(broker.replicas
                            .log(FOLLOWED.topicPartition())
                            .orElseThrow()
                            .highWatermark())
                    .isZero();
        }
    }

    @Test
    void losesNothingAcknowledgedInACrash() throws Exception {
        try (TestBroker broker = new TestBroker(home, 1, METADATA)) {
            broker.produce(ALL, ALONE, records("a", "b"));
            broker.produce(ALL, ALONE, idempotent(9, 0, "c"));
            copy(home, crashed);
        }
        Path segment = crashed.resolve("logs0/alone-0/00000000000000000000.log");
        Files.write(segment, new byte[] {0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 7}, StandardOpenOption.APPEND);

        try (TestBroker broker = new TestBroker(crashed, 1, METADATA)) {
            assertThat(values(broker.fetch(from(ALONE, 0)))).containsExactly("a", "b", "c");
            assertThat(broker.produce(ALL, ALONE, idempotent(9, 0, "c")).get(0).baseOffset)
                    .isEqualTo(2);
            assertThat(broker.produceError(ALL, ALONE, idempotent(9, 1, "d"))).isEqualTo(Errors.NONE);
            assertThat(broker.fetch(from(ALONE, 0)).highWatermark).isEqualTo(4);
        }
    }

    /** What a crash would leave: files that go while it is made, as those that checkpoints are written to first, are not in it. */
    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                    return FileVisitResult.CONTINUE;
                } catch (NoSuchFileException gone) {
                    return visitFileFailed(file, gone);
                }
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
                if (fault instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw fault;
            }
        });
    }
}
