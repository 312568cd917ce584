package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileOwnershipTest {
    @TempDir
    private Path directory;

    private FileOwnership ownership;
    private Path jar;

    @BeforeEach
    void makeJar() throws IOException {
        jar = Files.createFile(directory.resolve("a.jar"));
        mode(jar, "rw-r--r--");
        mode(directory, "rwxr-xr-x");
        ownership = new FileOwnership(Files.getOwner(jar).getName());
    }

    @Test
    void ownFileThatOthersMayReadIsSafe() {
        assertThatCode(() -> ownership.check(jar)).doesNotThrowAnyException();
        assertThatCode(() -> ownership.check(directory)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-r--", "rw-r--rw-"})
    void fileThatOthersMayWriteToIsNot(String mode) throws IOException {
        mode(jar, mode);

        assertThatThrownBy(() -> ownership.check(jar))
                .isInstanceOfSatisfying(RefusedJar.class, why -> assertThat(why.line())
                        .contains("path=" + jar, "mode=" + mode, "chmod go-w " + jar));
    }

    @Test
    void anotherUsersFileIsNot() {
        FileOwnership stranger = new FileOwnership("somebody");

        assertThatThrownBy(() -> stranger.check(jar))
                .isInstanceOfSatisfying(
                        RefusedJar.class, why -> assertThat(why.line()).contains("chown somebody " + jar));
    }

    @Test
    void linkIsAsSafeAsWhatItLeadsTo() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path target = Files.createFile(elsewhere.resolve("b.jar"));
        mode(target, "rw-r--r--");
        mode(elsewhere, "rwxr-xr-x");
        Path link = Files.createSymbolicLink(directory.resolve("c.jar"), Path.of("elsewhere/b.jar"));
        assertThatCode(() -> ownership.check(link)).doesNotThrowAnyException();

        mode(elsewhere, "rwxrwxrwx");
        assertThatThrownBy(() -> ownership.check(link)).hasMessageContaining("path=" + elsewhere.toRealPath());

        mode(elsewhere, "rwxr-xr-x");
        mode(target, "rw-rw-rw-");
        assertThatThrownBy(() -> ownership.check(link)).hasMessageContaining("b.jar");
    }

    @Test
    void linkInACircleIsRefused() throws IOException {
        Path one = directory.resolve("one.jar");
        Path two = Files.createSymbolicLink(directory.resolve("two.jar"), one);
        Files.createSymbolicLink(one, two);

        assertThatThrownBy(() -> ownership.check(one)).hasMessageContaining("too many links");
    }

    @Test
    void rightsTellWhenSomethingHasChanged() throws IOException {
        String before = FileOwnership.rights(jar);

        mode(jar, "rw-rw-r--");

        assertThat(FileOwnership.rights(jar)).isNotEqualTo(before);
        assertThat(FileOwnership.rights(directory.resolve("nothing"))).isEmpty();
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}
