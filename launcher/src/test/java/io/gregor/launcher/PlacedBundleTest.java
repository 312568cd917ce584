package io.gregor.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacedBundleTest {
    @TempDir
    Path directory;

    @Test
    void folderIsTheStartLevelAndOnlyJarsAreBundles() throws IOException {
        place("40/transport.jar");
        place("05/scr.jar");
        place("05/README");

        assertThat(PlacedBundle.in(directory))
                .containsExactly(
                        new PlacedBundle(directory.resolve("05/scr.jar"), 5),
                        new PlacedBundle(directory.resolve("40/transport.jar"), 40));
    }

    @Test
    void folderThatIsNoStartLevelIsNamed() throws IOException {
        place("extra/a.jar");

        assertThatThrownBy(() -> PlacedBundle.in(directory))
                .isInstanceOf(RefusedStart.class)
                .hasMessageContaining("extra");
    }

    @Test
    void distributionWithoutBundlesIsRefused() {
        assertThatThrownBy(() -> PlacedBundle.in(directory)).isInstanceOf(RefusedStart.class);
    }

    private void place(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
    }
}
