package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.storage.DirectoryRow;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.testing.Fake;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class LogDirCommandsTest {
    private final LogDirCommands commands = new LogDirCommands();

    @Test
    void showsEachDirectory() {
        Uuid id = Uuid.randomUuid();
        List<DirectoryRow> rows = List.of(
                new DirectoryRow("/data/0", Optional.of(id), "cordoned", 12, 4096, 1),
                new DirectoryRow("/data/1", Optional.empty(), "failed", 0, 0, 0));
        commands.directories = Fake.of(
                LogDirectories.class,
                (proxy, method, arguments) -> method.getName().equals("rows") ? rows : null);

        assertThat(commands.list().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "PATH ID STATE PARTITIONS BYTES MOVING-IN",
                        "/data/0 " + id + " cordoned 12 4096 1",
                        "/data/1 - failed 0 0 0");
        assertThat(commands.list("state=failed")).contains("/data/1").doesNotContain("/data/0");
    }

    @Test
    void saysWhenThereIsNoBroker() {
        assertThatThrownBy(commands::list).hasMessageContaining("no broker that is ready");
    }
}
