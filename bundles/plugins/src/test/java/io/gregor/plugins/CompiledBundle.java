package io.gregor.plugins;

import io.gregor.testing.Fake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.osgi.framework.Bundle;

/** A bundle with one class that nobody else has, compiled by the test. */
final class CompiledBundle {
    private CompiledBundle() {}

    /** A bundle with the class {@code plug.<name>} of this source, without its package. */
    static Bundle of(Path folder, String name, String source) {
        try {
            Path made = Files.createTempDirectory(folder, "bundle");
            Path file = made.resolve(name + ".java");
            Files.writeString(file, "package plug;\n" + source);
            int status = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", made.toString(), file.toString());
            if (status != 0) {
                throw new AssertionError("not compiled: " + source);
            }
            return over(new URLClassLoader(new URL[] {made.toUri().toURL()}, CompiledBundle.class.getClassLoader()));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** A bundle that is empty. */
    static Bundle empty() {
        return over(new URLClassLoader(new URL[0], CompiledBundle.class.getClassLoader()));
    }

    private static Bundle over(ClassLoader loader) {
        return Fake.of(Bundle.class, (bundle, method, arguments) -> switch (method.getName()) {
            case "loadClass" -> loader.loadClass((String) arguments[0]);
            case "getResource" -> loader.getResource((String) arguments[0]);
            case "getResources" -> loader.getResources((String) arguments[0]);
            case "hashCode" -> System.identityHashCode(bundle);
            case "equals" -> bundle == arguments[0];
            default -> throw Fake.unexpected(method.getName());
        });
    }
}
