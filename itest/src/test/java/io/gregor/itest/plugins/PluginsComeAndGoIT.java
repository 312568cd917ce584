package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that are dropped, replaced, rolled back, taken away, half there, or lie where others may write. */
class PluginsComeAndGoIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path home;

    private GregorProcess node;
    private Path deploy;

    @BeforeEach
    void start() {
        node = GregorProcess.start(home);
        deploy = home.resolve("deploy");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void isServedReplacedInPlaceAndTakenAway() throws Exception {
        Path jar = Teller.drop(home, "teller.jar", "1.0.0");
        awaitTold("1.0.0");

        Files.write(jar, Teller.jar("2.0.0").bytes());
        awaitTold("2.0.0");
        Files.write(jar, Teller.jar("1.5.0").bytes());
        awaitTold("1.5.0");
        assertThat(Teller.told(node.controllerPort()))
                .as("the controller's listener has the role, too")
                .isEqualTo("1.5.0");
        assertThat(list()).contains(Teller.NAME, "1.5.0", "live").doesNotContain("2.0.0");

        Files.delete(jar);
        awaitTold("");
        assertThat(Teller.told(node.controllerPort())).isEmpty();
        await().atMost(LIMIT).until(() -> !list().contains(Teller.NAME));
        assertThat(shell("change:list")).contains("deploy", "plugin " + Teller.NAME);
        assertThat(node.logText()).doesNotContain("plugin refused");
    }

    @Test
    void theLastDroppedServesWhateverItsVersionAndTheOneBehindComesBack() throws Exception {
        Teller.drop(home, "a.jar", "2.0.0");
        awaitTold("2.0.0");
        Path older = Teller.drop(home, "b.jar", "1.0.0");
        awaitTold("1.0.0");
        assertThat(list()).contains("behind");

        node.stop();
        node.restart();
        assertThat(Teller.told(node.port())).isEqualTo("1.0.0");

        Files.delete(older);
        awaitTold("2.0.0");
        assertThat(shell("plugin:remove " + Teller.NAME)).contains("removed");
        assertThat(Teller.told(node.port())).isEmpty();
        assertThat(deploy.resolve("a.jar.removed")).exists();
        assertThat(deploy.resolve("a.jar")).doesNotExist();
    }

    @Test
    void isThereWithTheFirstRequestAfterARestartUnlessItsJarWasTakenAway() throws Exception {
        Path jar = Teller.drop(home, "teller.jar", "1.0.0");
        awaitTold("1.0.0");

        node.stop();
        node.restart();
        assertThat(Teller.told(node.port())).isEqualTo("1.0.0");
        assertThat(shell("change:list").lines().filter(line -> line.contains(Teller.NAME)))
                .as("a start that changes nothing is no change")
                .hasSize(1);

        node.stop();
        Files.delete(jar);
        node.restart();
        assertThat(Teller.told(node.port())).isEmpty();
        assertThat(list()).doesNotContain(Teller.NAME);
    }

    @Test
    void whatIsRemovedStaysAway() throws Exception {
        Teller.drop(home, "teller.jar", "1.0.0");
        awaitTold("1.0.0");
        shell("plugin:remove " + Teller.NAME);
        node.stop();
        node.restart();
        Teller.drop(home, "teller.jar", "1.0.0");
        awaitTold("1.0.0");

        shell("plugin:remove " + Teller.NAME);

        await().during(Duration.ofSeconds(2)).atMost(LIMIT).until(() -> Teller.told(node.port())
                .isEmpty());
        assertThat(shell("felix:lb -s")).doesNotContain(Teller.NAME);
    }

    @Test
    void aHalfWrittenJarIsTakenWhenItIsWhole() throws Exception {
        byte[] all = Teller.jar("1.0.0").bytes();
        Path jar = deploy.resolve("teller.jar");
        Files.write(jar, Arrays.copyOf(all, all.length / 2));
        Teller.drop(home, "other.jar", "0.9.0");
        awaitTold("0.9.0");
        assertThat(list()).doesNotContain("teller.jar");

        node.stop();
        node.restart();
        assertThat(Teller.told(node.port())).isEqualTo("0.9.0");
        Files.write(jar, all);
        awaitTold("1.0.0");
        assertThat(node.logText()).doesNotContain("plugin refused");
    }

    @Test
    void aJarThatOthersMayChangeIsRefusedUntilTheyMayNot() throws Exception {
        Teller.drop(home, "teller.jar", "1.0.0");
        awaitTold("1.0.0");

        mode(deploy, "rwxrwxr-x");
        Path unsafe = Teller.drop(home, "teller.jar", "2.0.0");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(list()).contains("broken", "chmod go-w " + deploy));
        assertThat(Teller.told(node.port())).isEqualTo("1.0.0");

        mode(deploy, "rwxr-xr-x");
        awaitTold("2.0.0");

        Path elsewhere = Files.createDirectory(home.resolve("elsewhere"));
        mode(elsewhere, "rwxrwxrwx");
        Path target = Teller.jar("3.0.0").writeTo(elsewhere.resolve("teller.jar"));
        Files.delete(unsafe);
        awaitTold("");
        Files.createSymbolicLink(unsafe, target);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(list()).contains("chmod go-w " + elsewhere));
        assertThat(Teller.told(node.port())).isEmpty();
    }

    @Test
    void aJarOfTheSameFileWithAnotherNameTakesTheFilesPlace() throws Exception {
        Teller.drop(home, "plugin.jar", "1.0.0");
        awaitTold("1.0.0");

        PluginJar.named("io.gregor.itest.quiet", "1.0.0").writeTo(deploy.resolve("plugin.jar"));

        awaitTold("");
        await().atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(list()).contains("io.gregor.itest.quiet").doesNotContain(Teller.NAME));
    }

    private void awaitTold(String version) {
        await().atMost(LIMIT).until(() -> Teller.told(node.port()).equals(version));
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private String list() {
        return shell("plugin:list");
    }

    private String shell(String command) {
        GregorProcess.Finished finished = node.shell(command);
        assertThat(finished.status()).as(finished.output()).isZero();
        return finished.output();
    }
}
