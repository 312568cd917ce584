package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.api.security.ChannelLayers;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.kinds.Bobs;
import io.gregor.itest.plugins.kinds.SecretTopics;
import io.gregor.itest.plugins.kinds.ShortNames;
import io.gregor.itest.plugins.kinds.TellingLayers;
import io.gregor.itest.plugins.kinds.TellingReporter;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Authorizers, policies, principal builders, reporters and channel layers of jars that are dropped and taken away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KindsAreServicesIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String NOT_ALLOWED = "TopicAuthorizationException";
    private static final String UNKNOWN = "UnknownTopicOrPartitionException";

    private GregorProcess node;
    private Path home;
    private Path deploy;

    @BeforeAll
    void start(@TempDir Path folder) {
        home = folder;
        node = GregorProcess.start(home);
        deploy = home.resolve("deploy");
    }

    @AfterAll
    void stop() {
        node.close();
    }

    @Test
    void anAuthorizerDecidesFromItsDropUntilItIsTakenAway() throws Exception {
        assertThat(Kinds.described(node, "secret-1")).isEqualTo(UNKNOWN);

        Path jar = authorizer("guard", "1.0.0").writeTo(deploy.resolve("guard.jar"));
        awaitDescribed("secret-1", NOT_ALLOWED);
        assertThat(Kinds.described(node, "open-1")).isEqualTo(UNKNOWN);

        Files.delete(jar);
        awaitDescribed("secret-1", UNKNOWN);
    }

    @Test
    void onlySuperUsersPassWhileTheBundleOfTheAuthorizerIsStoppedByHand() throws Exception {
        Path jar = authorizer("stopped", "1.0.0").writeTo(deploy.resolve("stopped.jar"));
        awaitDescribed("secret-2", NOT_ALLOWED);
        String bundle = bundle("io.gregor.itest.stopped");

        node.shell("felix:stop " + bundle);
        awaitDescribed("open-2", NOT_ALLOWED);

        node.shell("felix:start " + bundle);
        awaitDescribed("open-2", UNKNOWN);
        assertThat(Kinds.described(node, "secret-2")).isEqualTo(NOT_ALLOWED);

        Files.delete(jar);
        awaitDescribed("secret-2", UNKNOWN);
    }

    @Test
    void aPolicyRefusesTopicsFromItsDropUntilItIsTakenAway() throws Exception {
        Path jar = Kinds.service("policy", "1.0.0", CreateTopicPolicy.class, ShortNames.class)
                .writeTo(deploy.resolve("policy.jar"));
        await().atMost(LIMIT)
                .until(() -> node.logText().contains("policy is used: policy=" + ShortNames.class.getName()));

        assertThat(Kinds.created(node, "a-much-too-long-name")).isEqualTo("PolicyViolationException");
        assertThat(Kinds.created(node, "short")).isEqualTo("none");

        Files.delete(jar);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.created(node, "a-much-too-long-name"))
                .isEqualTo("none"));
    }

    @Test
    void aPrincipalBuilderNamesWhoConnectsFromItsDropUntilItIsTakenAway() throws Exception {
        Path guard = authorizer("named", "1.0.0").writeTo(deploy.resolve("named.jar"));
        awaitDescribed("secret-3", NOT_ALLOWED);
        assertThat(Kinds.described(node, "open-3")).isEqualTo(UNKNOWN);

        Path bobs = Kinds.service("bobs", "1.0.0", KafkaPrincipalBuilder.class, Bobs.class)
                .writeTo(deploy.resolve("bobs.jar"));
        awaitDescribed("open-3", NOT_ALLOWED);

        Files.delete(bobs);
        awaitDescribed("open-3", UNKNOWN);
        Files.delete(guard);
        awaitDescribed("secret-3", UNKNOWN);
    }

    @Test
    void aReporterLearnsOfAllMetricsAndIsClosedWhenItIsTakenAway() throws Exception {
        Path jar = Kinds.service("reporter", "1.0.0", MetricsReporter.class, TellingReporter.class)
                .writeTo(deploy.resolve("reporter.jar"));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.told(home))
                .contains("reporter configured node=1", "reporter begins, metrics=many"));

        Files.delete(jar);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(Kinds.told(home)).contains("reporter closed"));
    }

    @Test
    void aListenerTakesALayerOfAPluginWhileItIsOpen() throws Exception {
        Kinds.service("layer", "1.0.0", ChannelLayers.class, TellingLayers.class)
                .header("Test-Property", "channel.layer=telling")
                .writeTo(deploy.resolve("layer.jar"));
        await().atMost(LIMIT).until(() -> node.shell("plugin:list").output().contains("io.gregor.itest.layer"));
        int port = GregorProcess.freePort();
        assertThat(node.shell("listener:add EXTRA 127.0.0.1:" + port + " --protocol PLAINTEXT")
                        .status())
                .isZero();

        GregorProcess.Finished set = node.shell("listener:set EXTRA gregor.channel.layer=telling");
        assertThat(set.status()).as(set.output()).isZero();
        try (Socket client = new Socket("127.0.0.1", port)) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(Kinds.told(home)).contains("layer opened for EXTRA"));
            assertThat(client.isConnected()).isTrue();
        }

        GregorProcess.Finished wrong = node.shell("listener:set EXTRA gregor.channel.layer=nowhere");
        assertThat(wrong.status()).isNotZero();
        assertThat(wrong.output()).contains("channel.layer=nowhere", "deploy/");
    }

    private static PluginJar authorizer(String name, String version) {
        return Kinds.service(name, version, Authorizer.class, SecretTopics.class);
    }

    private void awaitDescribed(String topic, String error) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(Kinds.described(node, topic)).isEqualTo(error));
    }

    private String bundle(String name) {
        Matcher line = Pattern.compile("(\\d+)\\|[^\n]*" + Pattern.quote(name))
                .matcher(node.shell("felix:lb -s").output());
        assertThat(line.find()).isTrue();
        return line.group(1);
    }
}
