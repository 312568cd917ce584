package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import io.gregor.itest.load.RealClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bundle that serves Produce and Fetch is replaced again and again, while both are asked for on many connections; no
 * connection and no request notices, and no old bundle stays.
 */
class HandlersAreSwappedUnderLoadIT {
    private static final int BUSY = 64;
    /** How often each; 20 and more by {@code -Dgregor.it.swaps=20}. */
    private static final int TIMES = Integer.getInteger("gregor.it.swaps", 8);

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String STOCK = "io.gregor.handlers-data";
    private static final String OWN = "io.gregor.itest.data";

    @TempDir
    private Path home;

    private GregorProcess node;
    private Path deploy;

    @BeforeEach
    void start() throws Exception {
        node = GregorProcess.start(home);
        deploy = home.resolve("deploy");
        Load.createTopics(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void replacedInPlace() throws Exception {
        RebuiltBundle plugin = RebuiltBundle.of("handlers-data", OWN, 10);
        try (Load load = Load.start(node.port(), BUSY, 0);
                RealClients clients = RealClients.start(node)) {
            for (int i = 1; i <= TIMES; i++) {
                String version = "1.0." + i;
                load.during("in place to " + version, () -> {
                    plugin.drop(deploy, "data.jar", version);
                    awaitServed(OWN, version);
                });
            }
            awaitOnly(OWN, "1.0." + TIMES);
            load.during("taken away", () -> {
                Files.delete(deploy.resolve("data.jar"));
                awaitServed(STOCK, "");
            });
            load.finish();
            clients.finish();
        }
        await().atMost(LIMIT).until(() -> bundles(OWN).isEmpty());
    }

    @Test
    void replacedSideBySide() throws Exception {
        RebuiltBundle plugin = RebuiltBundle.of("handlers-data", OWN, 10);
        try (Load load = Load.start(node.port(), BUSY, 0)) {
            for (int i = 1; i <= TIMES; i++) {
                String version = "1.0." + i;
                Path former = deploy.resolve("data-1.0." + (i - 1) + ".jar");
                load.during("side by side to " + version, () -> {
                    plugin.drop(deploy, "data-" + version + ".jar", version);
                    awaitServed(OWN, version);
                    Files.deleteIfExists(former);
                });
            }
            awaitOnly(OWN, "1.0." + TIMES);
            load.finish();
        }
    }

    @Test
    void stockBundleItself() throws Exception {
        RebuiltBundle update = RebuiltBundle.of("handlers-data", STOCK, 0);
        try (Load load = Load.start(node.port(), BUSY, 0);
                RealClients clients = RealClients.start(node)) {
            for (int i = 1; i <= TIMES; i++) {
                String version = "9.0." + i;
                load.during("stock bundle to " + version, () -> {
                    update.drop(deploy, "handlers-data.jar", version);
                    awaitServed(STOCK, version);
                });
            }
            load.during("stock bundle as it was", () -> {
                Files.delete(deploy.resolve("handlers-data.jar"));
                awaitServed(STOCK, "0.1.0");
            });
            load.finish();
            clients.finish();
        }
        await().atMost(LIMIT).until(() -> bundles(STOCK).size() == 1);
    }

    /** Waits until a bundle of this name and version serves both Produce and Fetch. */
    private void awaitServed(String name, String version) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(25)).untilAsserted(() -> assertThat(
                        shell("handler:list").lines())
                .filteredOn(line -> line.matches("broker +[01] .*"))
                .hasSize(2)
                .allMatch(line -> line.contains(name + " " + version)));
    }

    /** Waits until no other version of a bundle is installed: all that was in hand in those is finished. */
    private void awaitOnly(String name, String version) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(bundles(name)).hasSize(1).allMatch(line -> line.contains(version)));
    }

    private List<String> bundles(String name) throws IOException {
        return shell("felix:lb -s").lines().filter(line -> line.contains(name)).toList();
    }

    private String shell(String command) throws IOException {
        return ShellSocket.call(home, command).output();
    }
}
