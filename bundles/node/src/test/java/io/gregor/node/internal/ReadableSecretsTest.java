package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadableSecretsTest {
    private static final String OPEN = "rw-r--r--";
    private static final String CLOSED = "rw-r-----";

    @TempDir
    Path home;

    @Test
    void namesFilesWithSecretsThatEveryoneCanRead() throws IOException {
        Path store = file("key.p12", "", OPEN);
        Path config = file(
                "server.properties",
                "ssl.keystore.password=secret\nlistener.name.external.ssl.keystore.location=" + store,
                OPEN);

        assertThat(ReadableSecrets.readable(Settings.read(config, List.of())))
                .containsOnlyKeys(config, store)
                .containsEntry(config, "secrets, as ssl.keystore.password")
                .containsEntry(store, "the private key of listener.name.external.ssl.keystore.location");
    }

    @Test
    void saysNothingOfFilesThatAreClosedToOthers() throws IOException {
        Path store = file("key.p12", "", CLOSED);
        Path config = file("server.properties", "ssl.keystore.password=secret\nssl.keystore.location=" + store, CLOSED);

        assertThat(ReadableSecrets.readable(Settings.read(config, List.of()))).isEmpty();
    }

    @Test
    void saysNothingOfAFileWithoutSecrets() throws IOException {
        Path config = file("server.properties", "node.id=1\nssl.keystore.location=/nowhere/key.p12", OPEN);

        assertThat(ReadableSecrets.readable(Settings.read(config, List.of("ssl.keystore.password=secret"))))
                .isEmpty();
    }

    private Path file(String name, String content, String mode) throws IOException {
        Path file = Files.writeString(home.resolve(name), content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }
}
