package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeJarTest {
    private static final int CONTENT_BYTES = 200_000;

    @TempDir
    private Path directory;

    @Test
    void aJarOfWhichAnyPartIsMissingIsNotWhole() throws IOException {
        byte[] whole = jar();
        assertThat(WholeJar.isWhole(write(whole))).isTrue();

        for (int length = 0; length < whole.length; length += 97) {
            assertThat(WholeJar.isWhole(write(Arrays.copyOf(whole, length))))
                    .as("%d of %d bytes", length, whole.length)
                    .isFalse();
        }
    }

    @Test
    void aJarWithTheRightLengthAndWrongContentIsNotWhole() throws IOException {
        byte[] damaged = jar();
        damaged[damaged.length / 2] ^= 1;

        assertThat(WholeJar.isWhole(write(damaged))).isFalse();
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("some.jar"), bytes);
    }

    private static byte[] jar() throws IOException {
        byte[] content = new byte[CONTENT_BYTES];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 31 >> 4);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream jar = new ZipOutputStream(bytes)) {
            for (String name : new String[] {"a", "b"}) {
                jar.putNextEntry(new ZipEntry(name));
                jar.write(content);
            }
        }
        return bytes.toByteArray();
    }
}
