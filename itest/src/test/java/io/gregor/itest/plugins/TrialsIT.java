package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import io.gregor.itest.plugins.trial.MarkingFilter;
import io.gregor.itest.plugins.trial.MarkingHandler;
import io.gregor.itest.plugins.trial.TrialActivator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Plugins on trial, while others ask for other things: a good one is kept, one that does badly is taken out by itself, and
 * nobody's connection is dropped for it.
 */
class TrialsIT {
    private static final int BUSY = 64;
    private static final int ASKERS = 100;
    private static final int ROUNDS = 10;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NAME = "io.gregor.itest.trial";

    @TempDir
    private Path home;

    @TempDir
    private Path elsewhere;

    private GregorProcess node;
    private Load load;
    private Askers askers;
    private String ownId;

    @BeforeEach
    void start() throws Exception {
        node = GregorProcess.start(home);
        Load.createTopics(node);
        load = Load.start(node.port(), BUSY, 0);
        askers = Askers.connect(node.port(), ASKERS);
        ownId = askers.ask().get(0);
    }

    @AfterEach
    void stop() throws IOException {
        askers.close();
        load.close();
        node.close();
    }

    @Test
    void aGoodHandlerServesItsShareIsKeptAndSurvivesARestart() throws Exception {
        Path jar = jar("handler", "good", "1.0.0");

        load.during("30 % on trial", () -> shell("plugin:try " + jar + " --share 30%"));
        List<String> told = askers.ask();
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(askers.ask()).as("each connection stays where it is").isEqualTo(told);
        }
        assertThat(told).containsOnly("1.0.0", ownId);
        assertThat(told.stream().filter("1.0.0"::equals).count()).as("of 100").isBetween(12L, 48L);
        assertThat(shell("plugin:list state=trial")).contains(NAME, "1.0.0");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(shell("plugin:show " + NAME)).contains("share=30%", "formerRequests="));

        load.during("kept", () -> shell("plugin:keep " + NAME));
        askers.assertAll("1.0.0");
        assertThat(home.resolve("deploy").resolve(jar.getFileName())).hasSameBinaryContentAs(jar);
        assertThat(shell("plugin:list state=live")).contains(NAME);
        load.finish();

        assertThat(node.stop()).isEqualTo(143);
        node.restart();
        try (Askers again = Askers.connect(node.port(), ASKERS)) {
            again.assertAll("1.0.0");
            shell("plugin:remove " + NAME);
            again.assertAll(ownId);
        }
        assertThat(shell("change:show 1")).contains("1.0.0 on trial (30%)");
        assertThat(shell("change:show 2")).contains("1.0.0 on trial (30%)", "kept: requests=");
    }

    @ParameterizedTest
    @CsvSource({"errors, requests with errors are", "slow, mean time to answer is"})
    void aHandlerThatDoesBadlyIsTakenOutByItself(String way, String reason) throws Exception {
        Path jar = jar("handler", way, "1.0.0");
        load.during(way + " on trial", () -> shell("plugin:try " + jar + " --share 50%"));
        assertThat(askers.ask()).contains(ownId);

        load.during(way + " taken out", this::askUntilItIsOut);

        askers.assertAll(ownId);
        assertThat(home.resolve("deploy").resolve(jar.getFileName())).doesNotExist();
        assertThat(shell("change:show 2")).contains("taken out: " + reason, "1.0.0 on trial (50%)", "node");
        assertThat(node.logText().lines().filter(line -> line.contains("WARN") && line.contains(reason)))
                .hasSize(1);
        load.finish();
    }

    @Test
    void aNewVersionIsTriedBesideTheOneThatServes() throws Exception {
        jar("handler", "good", "1.0.0", home.resolve("deploy"));
        await().atMost(LIMIT).until(() -> askers.ask().stream().allMatch("1.0.0"::equals));
        Path next = jar("handler", "errors", "1.1.0");

        load.during("a bad version on trial", () -> shell("plugin:try " + next + " --share 50%"));
        load.during("the bad version taken out", this::askUntilItIsOut);
        askers.assertAll("1.0.0");

        Path better = jar("handler", "good", "1.2.0");
        load.during("a good version for a time", () -> shell("plugin:try " + better + " --for 3s"));
        askers.assertAll("1.2.0");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(shell("plugin:list state=live"))
                .contains("1.2.0")
                .doesNotContain("1.0.0"));
        askers.assertAll("1.2.0");
        load.finish();
    }

    @Test
    void aFilterOnTrialSeesItsShareAndOneThatFailsIsTakenOut() throws Exception {
        Path good = jar("filter", "good", "1.0.0");
        load.during("a filter on trial", () -> shell("plugin:try " + good + " --share 30%"));
        List<String> told = askers.ask();
        assertThat(told).containsOnly("1.0.0", ownId);
        assertThat(askers.ask()).isEqualTo(told);
        load.during("its trial ended", () -> shell("plugin:remove " + NAME));
        askers.assertAll(ownId);

        Path bad = jar("filter", "throws", "1.1.0");
        load.during("a bad filter on trial", () -> shell("plugin:try " + bad + " --share 50%"));
        load.during("the bad filter taken out", this::askUntilItIsOut);
        askers.assertAll(ownId);
        assertThat(shell("change:list")).contains("taken out: ");
        load.finish();
    }

    @Test
    void whatCannotBeTriedIsRefusedWithTheReason() throws Exception {
        Path lacking = PluginJar.named(NAME, "1.0.0")
                .imports("com.example.missing")
                .activator(TrialActivator.class)
                .writeTo(elsewhere.resolve("lacking.jar"));
        assertThat(refusal("plugin:try " + lacking)).contains("com.example.missing");

        Path half = elsewhere.resolve("half.jar");
        Files.write(half, new byte[] {'P', 'K', 3, 4});
        assertThat(refusal("plugin:try " + half)).contains("half.jar");
        assertThat(refusal("plugin:try " + elsewhere.resolve("none.jar"))).contains("none.jar");
        assertThat(refusal("plugin:try relative.jar")).contains("must be a whole path");
        assertThat(refusal("plugin:keep " + NAME)).contains(NAME);

        Path jar = jar("handler", "good", "1.0.0");
        shell("plugin:try " + jar);
        assertThat(refusal("plugin:try " + jar)).contains("on trial already");
        askers.ask();
        load.finish();
    }

    @Test
    void aTrialIsOverWhenTheNodeStops() throws Exception {
        shell("plugin:try " + jar("handler", "good", "1.0.0") + " --share 100%");
        askers.assertAll("1.0.0");
        load.close();

        node.stop();
        node.restart();

        try (Askers again = Askers.connect(node.port(), 1)) {
            again.assertAll(ownId);
        }
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(shell("change:show 2")).contains("the node stopped"));
    }

    /** Goes on asking until the plugin on trial is in no state any more in which it serves. */
    private void askUntilItIsOut() {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> {
            askers.ask();
            return !shell("plugin:list state=trial").contains(NAME);
        });
    }

    private Path jar(String offers, String way, String version) throws IOException {
        return jar(offers, way, version, elsewhere);
    }

    private static Path jar(String offers, String way, String version, Path directory) throws IOException {
        return PluginJar.named(NAME, version)
                .imports(
                        "io.gregor.api",
                        "org.apache.kafka.common.message",
                        "org.apache.kafka.common.protocol",
                        "org.apache.kafka.common.requests",
                        "org.osgi.framework")
                .header(TrialActivator.OFFERS, offers)
                .header(TrialActivator.WAY, way)
                .activator(TrialActivator.class)
                .classes(MarkingHandler.class, MarkingFilter.class)
                .writeTo(directory.resolve("trial-" + version + ".jar"));
    }

    private String shell(String command) {
        Finished finished = ShellSocket.call(home, command);
        assertThat(finished.status()).as("%s: %s", command, finished.output()).isZero();
        return finished.output();
    }

    private String refusal(String command) {
        Finished finished = ShellSocket.call(home, command);
        assertThat(finished.status()).as("%s: %s", command, finished.output()).isEqualTo(1);
        return finished.output();
    }
}
