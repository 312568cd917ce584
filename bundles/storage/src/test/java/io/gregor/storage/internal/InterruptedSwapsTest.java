package io.gregor.storage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedSwapsTest {
    @TempDir
    Path home;

    private File first;
    private File second;

    @BeforeEach
    void makeDirectories() throws Exception {
        first = Files.createDirectories(home.resolve("a/twice-3")).toFile().getParentFile();
        second = Files.createDirectories(home.resolve("b/twice-3")).toFile().getParentFile();
        Files.createDirectories(home.resolve("a/once-0"));
        Files.createDirectories(home.resolve("b/once-0-future"));
    }

    @Test
    void theReplacedLogIsToBeDeleted() {
        InterruptedSwaps.settle(
                List.of(first, second),
                (partition, directory) -> partition.equals(new TopicPartition("twice", 3)) && directory.equals(second));

        assertThat(first.list())
                .hasSize(2)
                .contains("once-0")
                .anyMatch(name -> name.startsWith("twice-3.") && name.endsWith("-delete"));
        assertThat(second.list()).containsExactlyInAnyOrder("twice-3", "once-0-future");
    }

    @Test
    void whatIsAssignedToNoneOrBothIsLeft() {
        InterruptedSwaps.settle(List.of(first, second), (partition, directory) -> false);
        InterruptedSwaps.settle(List.of(first, second), (partition, directory) -> true);

        assertThat(first.list()).containsExactlyInAnyOrder("twice-3", "once-0");
        assertThat(second.list()).containsExactlyInAnyOrder("twice-3", "once-0-future");
    }
}
