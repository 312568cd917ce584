package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketFileTest {
    @TempDir
    Path home;

    @Test
    void socketAndDirectoryAreClosedToOthers() throws IOException {
        Files.createDirectory(
                home.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        SocketFile file = SocketFile.below(home);

        try (ServerSocketChannel server = file.bind()) {
            assertThat(server.isOpen()).isTrue();
            assertThat(mode(home.resolve("run"))).isEqualTo("rwx------");
            assertThat(mode(file.path())).isEqualTo("rw-------");
        }
    }

    @Test
    void aSocketThatNobodyListensAtIsTakenAway() throws IOException {
        SocketFile file = SocketFile.below(home);
        file.bind().close();

        try (ServerSocketChannel again = file.bind()) {
            assertThat(again.isOpen()).isTrue();
        }
    }

    @Test
    void theSocketOfAnotherNodeIsLeftAlone() throws IOException {
        SocketFile file = SocketFile.below(home);
        try (ServerSocketChannel other = file.bind()) {
            assertThatThrownBy(file::bind).isInstanceOf(IOException.class).hasMessageContaining("another node answers");
            assertThat(other.isOpen()).isTrue();
        }
    }

    @Test
    void aDirectoryThatLeadsElsewhereIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        Files.createSymbolicLink(home.resolve("run"), elsewhere);

        assertThatThrownBy(SocketFile.below(home)::bind)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
