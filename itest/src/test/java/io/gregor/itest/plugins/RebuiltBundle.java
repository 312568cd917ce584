package io.gregor.itest.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.osgi.framework.Constants;

/**
 * A bundle of the distribution once more: the same classes with another name, version and ranking, as a build of another day
 * would be. Immutable.
 *
 * @param original the jar in the distribution
 * @param name its new symbolic name
 * @param ranking of its services; 0 leaves them as they are
 */
public record RebuiltBundle(Path original, String name, int ranking) {
    private static final Path BUNDLES =
            Path.of(System.getProperty("gregor.dist", "../launcher/target/gregor"), "bundles");

    /** Of the bundle whose jar begins with this in the distribution. */
    public static RebuiltBundle of(String jar, String name, int ranking) {
        try (Stream<Path> files = Files.walk(BUNDLES)) {
            Path original = files.filter(file -> file.getFileName().toString().matches(jar + "-[0-9].*\\.jar"))
                    .findFirst()
                    .orElseThrow();
            return new RebuiltBundle(original, name, ranking);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Puts it into a directory that is watched: written elsewhere, then renamed, as a careful operator does. */
    public Path drop(Path directory, String file, String version) throws IOException {
        Path written = Files.createTempFile(directory, file, ".part");
        try (JarFile from = new JarFile(original.toFile());
                OutputStream out = Files.newOutputStream(written);
                JarOutputStream to = new JarOutputStream(out, manifest(from, version))) {
            copy(from, to);
        }
        return Files.move(written, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    private Manifest manifest(JarFile from, String version) throws IOException {
        Manifest manifest = new Manifest(from.getManifest());
        manifest.getMainAttributes().putValue(Constants.BUNDLE_SYMBOLICNAME, name);
        manifest.getMainAttributes().putValue(Constants.BUNDLE_VERSION, version);
        return manifest;
    }

    private void copy(JarFile from, JarOutputStream to) throws IOException {
        for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
            JarEntry entry = entries.nextElement();
            if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
                to.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream bytes = from.getInputStream(entry)) {
                    to.write(isComponent(entry) ? ranked(bytes) : bytes.readAllBytes());
                }
                to.closeEntry();
            }
        }
    }

    private boolean isComponent(JarEntry entry) {
        return ranking != 0 && entry.getName().matches("OSGI-INF/.*\\.xml");
    }

    private byte[] ranked(InputStream component) throws IOException {
        String property = "<property name=\"service.ranking\" type=\"Integer\" value=\"" + ranking + "\"/>";
        String xml = new String(component.readAllBytes(), UTF_8);
        return xml.replaceFirst("<implementation ", property + "<implementation ")
                .getBytes(UTF_8);
    }
}
