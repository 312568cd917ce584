package io.gregor.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeLockTest {
    @TempDir
    Path home;

    @Test
    void secondTakerIsToldWhoHasTheHome() throws IOException {
        try (HomeLock first = HomeLock.take(home)) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> HomeLock.take(home))
                    .isInstanceOf(RefusedStart.class)
                    .hasMessageContaining("pid=" + ProcessHandle.current().pid());
        }
    }

    @Test
    void lockIsFreeAndNamesNobodyAfterClose() throws IOException {
        HomeLock.take(home).close();

        assertThat(home.resolve("run/gregor.lock")).isEmptyFile();
        HomeLock.take(home).close();
    }

    @Test
    void runDirectoryIsForItsOwnerOnlyEvenIfItWasThere() throws IOException {
        Files.createDirectories(home.resolve("run"));
        Files.setPosixFilePermissions(home.resolve("run"), PosixFilePermissions.fromString("rwxr-xr-x"));

        HomeLock.take(home).close();

        assertThat(Files.getPosixFilePermissions(home.resolve("run")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
}
