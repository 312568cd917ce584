package io.gregor.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The distribution in this jar, unpacked once for each content: below {@code target} where the test has one, else in the
 * directory for temporary files. Immutable.
 */
final class Distribution {
    private static final String PACKED = "gregor.zip";

    private Distribution() {}

    /** Its directory; whoever is first unpacks it. */
    static Path unpacked() {
        Path target = Path.of("target").toAbsolutePath();
        Path parent = Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            Path directory = parent.resolve("gregor-" + contentName());
            if (!Files.isDirectory(directory)) {
                unpack(directory);
            }
            return directory;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static String contentName() throws IOException {
        CRC32C sum = new CRC32C();
        try (CheckedInputStream in = new CheckedInputStream(packed(), sum)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /** Beside it first, then renamed: whoever finds the directory finds all of it. */
    private static void unpack(Path directory) throws IOException {
        Path beside = Files.createTempDirectory(directory.getParent(), directory.getFileName() + "-");
        try (ZipInputStream zip = new ZipInputStream(packed())) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = beside.resolve(entry.getName());
                if (!entry.isDirectory()) {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        try {
            Files.move(beside, directory, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            delete(beside);
            if (!Files.isDirectory(directory)) { // else another JVM was first
                throw fault;
            }
        }
    }

    private static InputStream packed() throws IOException {
        InputStream in = Distribution.class.getResourceAsStream(PACKED);
        if (in == null) {
            throw new IOException("the distribution is not packed into test-support: resource=" + PACKED);
        }
        return in;
    }

    /** Deletes a directory with all that is in it. */
    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
