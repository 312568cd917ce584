package io.gregor.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A plugin as a file. Immutable.
 *
 * @param path the jar, or a directory with the same content as {@code target/classes}
 * @param name the {@code Bundle-SymbolicName}, by which a node knows it
 */
record PluginJar(Path path, String name) {

    /** Looks at what is to be deployed. */
    static PluginJar of(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        Manifest manifest = manifest(absolute);
        String name = manifest.getMainAttributes().getValue("Bundle-SymbolicName");
        if (name == null) {
            throw new IllegalArgumentException("no bundle, its manifest has no Bundle-SymbolicName: path=" + absolute
                    + "; build it with bnd-maven-plugin first");
        }
        return new PluginJar(absolute, name.split(";", 2)[0].strip());
    }

    /** The one that the build of this project makes: its only jar in {@code target}. */
    static PluginJar ofProject() {
        Path target = Path.of("target").toAbsolutePath();
        try (Stream<Path> files = Files.list(target)) {
            List<Path> jars = files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .filter(file -> !file.getFileName().toString().matches(".*-(sources|javadoc|tests)\\.jar"))
                    .toList();
            if (jars.size() != 1) {
                throw new IllegalStateException("target must have one jar: jars=" + jars
                        + "; run the test with mvn verify, or name the jar with plugin(Path)");
            }
            return of(jars.get(0));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static Manifest manifest(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                try (JarInputStream jar = new JarInputStream(Files.newInputStream(path))) {
                    return jar.getManifest() == null ? new Manifest() : jar.getManifest();
                }
            }
            Path file = path.resolve(JarFile.MANIFEST_NAME);
            if (!Files.exists(file)) {
                return new Manifest();
            }
            try (InputStream in = Files.newInputStream(file)) {
                return new Manifest(in);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException("plugin cannot be read: path=" + path, fault);
        }
    }

    /** Puts it into a directory that a node watches, whole or not at all; returns the file. */
    Path copyTo(Path deploy) throws IOException {
        Path beside = Files.createTempFile(deploy.getParent(), "plugin", ".part");
        if (Files.isDirectory(path)) {
            pack(beside);
        } else {
            Files.copy(path, beside, StandardCopyOption.REPLACE_EXISTING);
        }
        return Files.move(beside, deploy.resolve(name + ".jar"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void pack(Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest(path));
                Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String entry = path.relativize(file).toString().replace('\\', '/');
                if (!entry.equals(JarFile.MANIFEST_NAME)) {
                    packed.putNextEntry(new ZipEntry(entry));
                    Files.copy(file, packed);
                    packed.closeEntry();
                }
            }
        }
    }
}
