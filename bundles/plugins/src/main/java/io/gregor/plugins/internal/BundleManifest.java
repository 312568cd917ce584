package io.gregor.plugins.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;

/**
 * What the manifest of a plugin's jar says of it. Immutable.
 *
 * @param symbolicName the plugin's name: the same name is the same plugin
 * @param exports names of the packages that it offers to others
 */
public record BundleManifest(String symbolicName, Version version, Set<String> exports) {
    private static final String HOW_TO_MAKE_ONE =
            "build it with bnd-maven-plugin, as the archetype io.gregor:plugin-archetype does (docs/write-a-plugin.md)";

    /**
     * Reads it.
     *
     * @throws RefusedJar if the jar is no bundle, or one that cannot be a plugin
     */
    public static BundleManifest read(Path jar) throws RefusedJar, IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            return of(manifest == null ? new Attributes() : manifest.getMainAttributes());
        }
    }

    static BundleManifest of(Attributes attributes) throws RefusedJar {
        String name = attributes.getValue(Constants.BUNDLE_SYMBOLICNAME);
        if (name == null || attributes.getValue(Constants.BUNDLE_MANIFESTVERSION) == null) {
            throw new RefusedJar("it is no OSGi bundle: its manifest has no Bundle-SymbolicName", HOW_TO_MAKE_ONE);
        }
        if (attributes.getValue(Constants.FRAGMENT_HOST) != null) {
            throw new RefusedJar(
                    "it is a fragment of another bundle (Fragment-Host), which cannot come while that runs",
                    "put its classes into a bundle of their own");
        }
        return new BundleManifest(
                withoutDirectives(name),
                version(attributes.getValue(Constants.BUNDLE_VERSION)),
                names(attributes.getValue(Constants.EXPORT_PACKAGE)));
    }

    private static Version version(@Nullable String text) throws RefusedJar {
        try {
            return Version.parseVersion(text);
        } catch (IllegalArgumentException fault) {
            throw new RefusedJar(
                    "Bundle-Version=" + text + " is no version", "write it as 1.2.3 or 1.2.3.anything in the build");
        }
    }

    /** The names in a header whose attributes may have commas between quotes. */
    private static Set<String> names(@Nullable String header) {
        Set<String> names = new TreeSet<>();
        if (header != null) {
            for (String clause : header.replaceAll("\"[^\"]*\"", "").split(",", -1)) {
                for (String part : clause.split(";", -1)) {
                    if (!part.contains("=")) {
                        names.add(part.trim());
                    }
                }
            }
        }
        return names;
    }

    private static String withoutDirectives(String header) {
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).trim();
    }
}
