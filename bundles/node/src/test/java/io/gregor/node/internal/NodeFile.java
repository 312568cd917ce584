package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A properties file of a test. Owned by the test's thread. */
final class NodeFile {
    private final Path home;
    private final Path file;
    private final List<String> overrides = new ArrayList<>();

    private NodeFile(Path home, List<String> lines) {
        this.home = home;
        this.file = home.resolve("server.properties");
        try {
            Files.write(file, lines);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    static NodeFile combined(Path home) {
        return new NodeFile(
                home,
                List.of(
                        "process.roles=broker,controller",
                        "node.id=1",
                        "controller.quorum.voters=1@127.0.0.1:9093",
                        "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                        "log.dirs=data"));
    }

    static NodeFile brokerOnly(Path home) {
        return new NodeFile(
                home,
                List.of(
                        "process.roles=broker",
                        "node.id=2",
                        "controller.quorum.voters=1@127.0.0.1:9093",
                        "listeners=PLAINTEXT://127.0.0.1:9092",
                        "controller.listener.names=CONTROLLER",
                        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                        "log.dirs=data"));
    }

    static NodeFile of(Path home, String... lines) {
        return new NodeFile(home, List.of(lines));
    }

    NodeFile with(String... assignments) {
        overrides.addAll(List.of(assignments));
        return this;
    }

    Path file() {
        return file;
    }

    Settings settings() {
        return Settings.read(file, overrides);
    }

    NodeConfig read() {
        return ConfigReading.read(settings().provided(), home);
    }
}
