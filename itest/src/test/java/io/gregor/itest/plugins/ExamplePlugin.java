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

/**
 * An example of the distribution, as an operator uses it: copied from {@code examples/} to {@code deploy/} of a node that runs,
 * and taken away again. Owned by the test thread.
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
        Path part = node.home().resolve("deploy").resolve("." + name + ".part");
        Files.copy(EXAMPLES.resolve("example-" + name + ".jar"), part);
        Files.move(part, plugin.jar(), StandardCopyOption.ATOMIC_MOVE);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(plugin.list())
                .anyMatch(line -> line.startsWith(plugin.symbolicName() + " ") && line.contains(" live ")));
        return plugin;
    }

    /** Deletes it, and waits until it is gone. */
    void takeAway() throws IOException {
        Files.delete(jar());
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(list()).noneMatch(line -> line.startsWith(symbolicName())));
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
