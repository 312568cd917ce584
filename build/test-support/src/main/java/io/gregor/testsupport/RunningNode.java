package io.gregor.testsupport;

import io.gregor.launcher.EmbeddedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A node that was started, and what has to be cleaned up after it. Owned by the test's thread.
 *
 * @param home of the node
 * @param isTemporary whether the home goes with the node
 * @param port of the listener for clients
 */
record RunningNode(EmbeddedNode node, Path home, boolean isTemporary, int port) implements AutoCloseable {

    /** Starts one; it need not answer yet. */
    static RunningNode start(GregorNodeBuilder settings) {
        Path chosen = settings.home();
        try {
            Path home = chosen == null ? Files.createTempDirectory("gregor") : chosen;
            return start(settings, home, chosen == null);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static RunningNode start(GregorNodeBuilder settings, Path home, boolean isTemporary) throws IOException {
        try {
            Path deploy = Files.createDirectories(home.resolve("deploy"));
            for (PluginJar plugin : settings.plugins()) {
                plugin.copyTo(deploy);
            }
            int port = FreePorts.unlike(0);
            Path distribution = Distribution.unpacked();
            EmbeddedNode node = EmbeddedNode.start(
                    distribution,
                    home,
                    distribution.resolve("config/server.properties"),
                    overrides(settings, port, FreePorts.unlike(port)));
            return new RunningNode(node, home, isTemporary, port);
        } catch (RuntimeException | IOException fault) {
            if (isTemporary) {
                Distribution.delete(home);
            }
            throw fault;
        }
    }

    private static List<String> overrides(GregorNodeBuilder settings, int port, int controllerPort) {
        List<String> all = new ArrayList<>();
        all.add("listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        all.add("controller.quorum.voters=1@127.0.0.1:" + controllerPort);
        settings.config().forEach((key, value) -> all.add(key + "=" + value));
        return all;
    }

    @Override
    public void close() {
        node.close();
        if (isTemporary) {
            try {
                Distribution.delete(home);
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }
    }
}
