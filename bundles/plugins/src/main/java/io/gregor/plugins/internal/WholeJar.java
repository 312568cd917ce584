package io.gregor.plugins.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Tells a whole jar from one that is still being written: its directory and all entries can be read, with the right sums. */
final class WholeJar {
    private static final int BUFFER_BYTES = 64 * 1024;

    private WholeJar() {}

    /** Whether it is whole. */
    static boolean isWhole(Path jar) {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (Enumeration<? extends ZipEntry> all = file.entries(); all.hasMoreElements(); ) {
                if (!isWhole(file, all.nextElement(), buffer)) {
                    return false;
                }
            }
            return true;
        } catch (IOException | IllegalArgumentException half) {
            return false;
        }
    }

    private static boolean isWhole(ZipFile file, ZipEntry entry, byte[] buffer) throws IOException {
        CRC32 sum = new CRC32();
        long bytes = 0;
        try (InputStream content = file.getInputStream(entry)) {
            if (content == null) {
                throw new ZipException("no content: entry=" + entry.getName());
            }
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                sum.update(buffer, 0, read);
                bytes += read;
            }
        }
        return bytes == entry.getSize() && sum.getValue() == entry.getCrc();
    }
}
