package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.plugins.teller.FailingActivator;
import io.gregor.itest.plugins.teller.FailingComponent;
import io.gregor.itest.plugins.teller.HangingActivator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A plugin that cannot be used: the former serves on, and the shell and one line of the log say why. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenPluginsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String COMPONENT =
            """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="teller"%s>
              <implementation class="io.gregor.itest.plugins.teller.FailingComponent"/>
              <property name="api.key" type="Integer" value="10001"/>
              <service><provide interface="io.gregor.api.RequestHandler"/></service>
              %s
            </scr:component>
            """;

    private GregorProcess node;
    private Path deploy;

    @BeforeAll
    void start(@TempDir Path home) throws IOException {
        node = GregorProcess.start(home);
        deploy = home.resolve("deploy");
        Teller.drop(home, "good.jar", "1.0.0");
        await().atMost(LIMIT).until(() -> Teller.told(node.port()).equals("1.0.0"));
        for (Arguments one : broken().toList()) {
            ((PluginJar) one.get()[1]).writeTo(deploy.resolve((String) one.get()[0]));
        }
    }

    @AfterAll
    void stop() {
        node.close();
    }

    Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of(
                        "missing.jar",
                        Teller.jar("2.0.0").imports("com.example.nowhere", "io.gregor.api", "org.osgi.framework"),
                        "package missing: it needs com.example.nowhere"),
                Arguments.of(
                        "version.jar",
                        Teller.jar("2.1.0").imports("io.gregor.api;version=\"[2.0,3)\"", "org.osgi.framework"),
                        "built for io.gregor.api [2.0.0,3.0.0), this node has 1.0.0; build it against io.gregor.api 1.0.0"),
                Arguments.of(
                        "activator.jar",
                        Teller.jar("2.2.0").activator(FailingActivator.class),
                        "its activator threw: java.lang.IllegalStateException: no licence found"),
                Arguments.of(
                        "component.jar",
                        component("2.3.0", "", ""),
                        "cannot be activated: java.lang.UnsupportedOperationException: no table of words"),
                Arguments.of(
                        "immediate.jar",
                        component("2.4.0", " immediate=\"true\"", ""),
                        "cannot be activated: java.lang.UnsupportedOperationException: no table of words"),
                Arguments.of(
                        "waits.jar",
                        component("2.5.0", "", "<reference name=\"words\" interface=\"com.example.Words\"/>"),
                        "component=teller waits for reference=words service=com.example.Words"),
                Arguments.of(
                        "fragment.jar", Teller.jar("2.6.0").header("Fragment-Host", Teller.NAME), "it is a fragment"),
                Arguments.of(
                        "storage.jar",
                        PluginJar.named("io.gregor.storage", "9.0.0"),
                        "the distribution's own io.gregor.storage cannot be replaced while the node runs"));
    }

    private static PluginJar component(String version, String attribute, String more) {
        return PluginJar.named(Teller.NAME, version)
                .imports("io.gregor.api")
                .header("Service-Component", "OSGI-INF/teller.xml")
                .text("OSGI-INF/teller.xml", COMPONENT.formatted(attribute, more))
                .classes(FailingComponent.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void broken(String file, PluginJar jar, String reason) throws Exception {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(list().lines().filter(line -> line.contains(file)))
                .singleElement()
                .asString()
                .contains("broken")
                .contains(reason));
        assertRefusedOnce(file, reason);
        assertThat(node.logText()).as("stack traces are for DEBUG").doesNotContain("\tat ");
        assertThat(list()).containsPattern(Teller.NAME + " +1\\.0\\.0 +live");

        Files.delete(deploy.resolve(file));
        await().atMost(LIMIT).until(() -> !list().contains(file));
        assertThat(Teller.told(node.port())).isEqualTo("1.0.0");
    }

    @Test
    void noBundleAtAll() throws Exception {
        Path there = deploy.resolve("plain.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(there))) {
            jar.putNextEntry(new JarEntry("some.txt"));
        }

        await().atMost(LIMIT).untilAsserted(() -> assertThat(list()).contains("plain.jar", "it is no OSGi bundle"));
        assertRefusedOnce("plain.jar", "it is no OSGi bundle");
        Files.delete(there);
    }

    @Test
    void whatWasMissingMayComeLater() throws Exception {
        Path needs = PluginJar.named("io.gregor.itest.needs", "1.0.0")
                .imports("com.example.later")
                .writeTo(deploy.resolve("needs.jar"));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(list()).contains("it needs com.example.later"));

        Path offers = PluginJar.named("io.gregor.itest.offers", "1.0.0")
                .header("Export-Package", "com.example.later;version=\"1.0\"")
                .text("com/example/later/words.txt", "words")
                .writeTo(deploy.resolve("offers.jar"));

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(list()).containsPattern("io.gregor.itest.needs +1\\.0\\.0 +live"));
        Files.delete(needs);
        Files.delete(offers);
        await().atMost(LIMIT).until(() -> !list().contains("offers.jar"));
    }

    @Test
    void aBrokenJarDoesNotStopAStart(@TempDir Path other) throws Exception {
        Files.createDirectory(other.resolve("deploy"));
        Teller.drop(other, "a-good.jar", "1.0.0");
        Teller.jar("2.0.0").activator(FailingActivator.class).writeTo(other.resolve("deploy/b-fails.jar"));
        Teller.jar("3.0.0").imports("com.example.nowhere").writeTo(other.resolve("deploy/c-misses.jar"));

        try (GregorProcess started = GregorProcess.start(other)) {
            assertThat(Teller.told(started.port())).isEqualTo("1.0.0");
            assertThat(ShellSocket.call(other, "plugin:list").output())
                    .contains("its activator threw", "it needs com.example.nowhere");
        }
    }

    @Test
    void onePluginThatNeverReturnsKeepsNobody(@TempDir Path other) throws Exception {
        Files.createDirectory(other.resolve("deploy"));
        PluginJar.named("io.gregor.itest.hangs", "1.0.0")
                .imports("org.osgi.framework")
                .activator(HangingActivator.class)
                .writeTo(other.resolve("deploy/a-hangs.jar"));
        Teller.drop(other, "b-good.jar", "1.0.0");

        try (GregorProcess started = GregorProcess.start(other)) {
            assertThat(Teller.told(started.port())).isEqualTo("1.0.0");
            assertThat(ShellSocket.call(other, "plugin:list").output())
                    .contains("its start does not return", "thread=gregor-plugin-io.gregor.itest.hangs");

            Teller.drop(other, "b-good.jar", "1.1.0");
            await().atMost(LIMIT).until(() -> Teller.told(started.port()).equals("1.1.0"));
            assertThat(started.stop()).as("a clean stop").isEqualTo(143);
        }
    }

    private void assertRefusedOnce(String file, String reason) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(node.logText()
                        .lines()
                        .filter(line -> line.contains("ERROR") && line.contains("plugin refused: file=" + file)))
                .singleElement()
                .asString()
                .contains(reason));
    }

    private String list() {
        return ShellSocket.call(node.home(), "plugin:list").output();
    }
}
