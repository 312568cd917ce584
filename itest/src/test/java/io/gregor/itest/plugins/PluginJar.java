package io.gregor.itest.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.Constants;

/**
 * A bundle that a test makes of its own classes, without bnd. Owned by the test thread.
 *
 * <pre>{@code
 * Path jar = PluginJar.named("io.gregor.itest.gate", "1.0.0")
 *         .imports("io.gregor.api", "org.osgi.framework")
 *         .activator(GateActivator.class)
 *         .classes(Gate.class)
 *         .writeTo(directory.resolve("gate.jar"));
 * }</pre>
 */
public final class PluginJar {
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Map<String, byte[]> entries = new TreeMap<>();

    private PluginJar() {}

    /** A bundle of this symbolic name and version, with nothing in it yet. */
    public static PluginJar named(String symbolicName, String version) {
        return new PluginJar()
                .header(Constants.BUNDLE_MANIFESTVERSION, "2")
                .header(Constants.BUNDLE_SYMBOLICNAME, symbolicName)
                .header(Constants.BUNDLE_VERSION, version);
    }

    /** A header of its manifest; in the place of one of that name. */
    public PluginJar header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** The packages that it imports, each with its attributes if it has any. */
    public PluginJar imports(String... packages) {
        return header(Constants.IMPORT_PACKAGE, String.join(",", packages));
    }

    /** Its activator, which is packed, too. */
    public PluginJar activator(Class<? extends BundleActivator> type) {
        return header(Constants.BUNDLE_ACTIVATOR, type.getName()).classes(type);
    }

    /** Classes of the test, each with the named and unnamed ones inside it. */
    public PluginJar classes(Class<?>... types) {
        for (Class<?> type : types) {
            add(type, "");
            int unnamed = 1;
            while (add(type, "$" + unnamed)) {
                unnamed++;
            }
            classes(type.getDeclaredClasses());
        }
        return this;
    }

    private boolean add(Class<?> type, String suffix) {
        String name = type.getName().replace('.', '/') + suffix + ".class";
        try (InputStream bytes = type.getClassLoader().getResourceAsStream(name)) {
            if (bytes != null) {
                entries.put(name, bytes.readAllBytes());
            }
            return bytes != null;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** A text file, as {@code OSGI-INF/x.xml} of a component; the header Service-Component is set by the caller. */
    public PluginJar text(String name, String content) {
        entries.put(name, content.getBytes(UTF_8));
        return this;
    }

    /** The jar's bytes. */
    public byte[] bytes() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.forEach(attributes::putValue);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream all = bytes;
                JarOutputStream jar = new JarOutputStream(all, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** Writes it beside this file first and renames it then, so that nobody ever sees half of it. */
    public Path writeTo(Path file) throws IOException {
        Path part = file.resolveSibling("." + file.getFileName() + ".part");
        Files.write(part, bytes());
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
