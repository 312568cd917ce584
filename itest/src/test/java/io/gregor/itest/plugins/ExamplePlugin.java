package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.Constants;

/**
 * An example of the distribution, as an operator uses it: copied from {@code examples/} to {@code deploy/} of a node that runs,
 * replaced, and taken away again. Owned by the test thread.
 *
 * @param home of the node
 * @param name of the example, as {@code echo}
 */
record ExamplePlugin(Path home, String name) {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path EXAMPLES =
            Path.of(System.getProperty("gregor.dist", "../launcher/target/gregor"), "examples");

    /** Copies it, and waits until it is used. */
    static ExamplePlugin drop(GregorProcess node, String name) throws IOException {
        ExamplePlugin plugin = new ExamplePlugin(node.home(), name);
        Files.copy(plugin.original(), plugin.part());
        Files.move(plugin.part(), plugin.jar(), StandardCopyOption.ATOMIC_MOVE);
        plugin.awaitLive("");
        return plugin;
    }

    /** Puts a build of this version in its place, and waits until that is used. */
    void replaceBy(String version) throws IOException {
        try (JarInputStream from = new JarInputStream(Files.newInputStream(original()))) {
            Manifest manifest = from.getManifest();
            manifest.getMainAttributes().putValue(Constants.BUNDLE_VERSION, version);
            try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(part()), manifest)) {
                for (JarEntry entry = from.getNextJarEntry(); entry != null; entry = from.getNextJarEntry()) {
                    to.putNextEntry(new JarEntry(entry.getName()));
                    from.transferTo(to);
                    to.closeEntry();
                }
            }
        }
        Files.move(part(), jar(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        awaitLive(version);
    }

    private void awaitLive(String version) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(list())
                .anyMatch(line ->
                        line.startsWith(symbolicName() + " ") && line.contains(" live ") && line.contains(version)));
    }

    /** Deletes it, and waits until it is gone. */
    void takeAway() throws IOException {
        Files.delete(jar());
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(list()).noneMatch(line -> line.startsWith(symbolicName())));
    }

    private Path original() {
        return EXAMPLES.resolve("example-" + name + ".jar");
    }

    private Path part() {
        return home.resolve("deploy").resolve("." + name + ".part");
    }

    private Path jar() {
        return home.resolve("deploy").resolve("example-" + name + ".jar");
    }

    private String symbolicName() {
        return "io.gregor.example-" + name;
    }

    private Iterable<String> list() {
        return ShellSocket.call(home, "plugin:list").output().lines().toList();
    }
}
