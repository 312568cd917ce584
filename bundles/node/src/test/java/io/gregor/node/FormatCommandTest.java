package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormatCommandTest {
    private static final String CLUSTER = "q1Sh-9_ISia_zwGINzRvyQ";

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path broker;
    private Path controller;

    @BeforeEach
    void files() throws IOException {
        broker = home.resolve("broker.properties");
        Files.write(
                broker,
                List.of(
                        "process.roles=broker",
                        "node.id=2",
                        "controller.quorum.voters=1@127.0.0.1:9093",
                        "controller.listener.names=CONTROLLER",
                        "listeners=PLAINTEXT://127.0.0.1:9092",
                        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                        "log.dirs=" + home.resolve("b1") + "," + home.resolve("b2")));
        controller = home.resolve("controller.properties");
        Files.write(
                controller,
                List.of(
                        "process.roles=controller",
                        "node.id=1",
                        "controller.quorum.bootstrap.servers=127.0.0.1:9093",
                        "controller.listener.names=CONTROLLER",
                        "listeners=CONTROLLER://127.0.0.1:9093",
                        "listener.security.protocol.map=CONTROLLER:PLAINTEXT",
                        "log.dirs=" + home.resolve("c")));
    }

    @Test
    void formatsTheDirectoriesOfABroker() throws IOException {
        assertThat(run("-t", CLUSTER, "-c", broker.toString())).isZero();

        assertThat(Files.readAllLines(home.resolve("b1/meta.properties")))
                .contains("cluster.id=" + CLUSTER, "node.id=2", "version=1");
        assertThat(home.resolve("b2/meta.properties")).isRegularFile();
        assertThat(shown(out)).contains("Formatting data directory " + home.resolve("b2") + " with metadata.version");
    }

    @Test
    void formatsWhatIsNewOnRequestOnly() throws IOException {
        run("-t", CLUSTER, "-c", broker.toString());
        Files.delete(home.resolve("b2/meta.properties"));

        assertThat(run("-t", CLUSTER, "-c", broker.toString())).isOne();
        assertThat(shown(err)).contains("is already formatted. Use --ignore-formatted");
        assertThat(run("format", "--cluster-id=" + CLUSTER, "--config=" + broker, "--ignore-formatted"))
                .isZero();
        assertThat(home.resolve("b2/meta.properties")).isRegularFile();
    }

    @Test
    void aQuorumThatCanGrowNeedsItsFirstControllers() {
        assertThat(run("-t", CLUSTER, "-c", controller.toString())).isOne();
        assertThat(shown(err)).contains("one of --standalone, --initial-controllers and --no-initial-controllers");

        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "--standalone"))
                .isZero();
        assertThat(home.resolve("c/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"))
                .isRegularFile();
    }

    @Test
    void aControllerThatJoinsLaterStartsWithoutVoters() {
        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-N")).isZero();
        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-N", "-s")).isOne();
        assertThat(shown(err)).contains("only one of --standalone");
    }

    @Test
    void releaseFeaturesAndCredentialsAreKafkas() {
        assertThat(run(
                        "-t",
                        CLUSTER,
                        "-c",
                        controller.toString(),
                        "-s",
                        "-r",
                        "4.0",
                        "-f",
                        "group.version=1",
                        "-S",
                        "SCRAM-SHA-256=[name=alice,password=alice-secret]"))
                .isZero();
        assertThat(shown(out)).contains("4.0-IV");
    }

    @Test
    void credentialsComeFromAFileToo() throws IOException {
        Path users = home.resolve("users.txt");
        Files.writeString(
                users,
                """
                # who may log in

                SCRAM-SHA-256=[name=alice,password="alice secret"]
                SCRAM-SHA-512=[name=bob,password=bob-secret,iterations=8192]
                """);

        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-s", "-S", "@" + users))
                .isZero();

        assertThat(Files.readString(
                        home.resolve("c/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"),
                        StandardCharsets.ISO_8859_1))
                .contains("alice", "bob")
                .doesNotContain("alice secret", "bob-secret");
        assertThat(shown(out)).contains("Formatting").doesNotContain("storedKey", "alice");
    }

    @Test
    void aCredentialThatIsNotUnderstoodIsNotRepeated() throws IOException {
        Path users = home.resolve("users.txt");
        Files.writeString(users, "SCRAM-SHA-256=[name=alice,password=hunter2,unknown=hunter2]");

        for (String wrong : List.of(
                "@" + users,
                "hunter2",
                "SCRAM-SHA-256=[name=alice,password=pass,hunter2]",
                "SCRAM-SHA-1=[name=alice,password=hunter2]",
                "SCRAM-SHA-256=[name=alice,password=hunter2,iterations=1]",
                "SCRAM-SHA-256=[name=alice,password=hunter2,iterations=x]",
                "SCRAM-SHA-256=[name=alice,saltedpassword=hunter2-,salt=hunter2-]",
                "SCRAM-SHA-256=name=alice,password=hunter2",
                "@" + home.resolve("missing.txt"))) {
            assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-s", "-S", wrong))
                    .as(wrong)
                    .isOne();
        }

        assertThat(shown(err).lines()).hasSize(9).noneMatch(line -> line.contains("hunter2"));
        assertThat(home.resolve("c/meta.properties")).doesNotExist();
    }

    @Test
    void credentialsAreForControllers() {
        assertThat(run(
                        "-t",
                        CLUSTER,
                        "-c",
                        broker.toString(),
                        "-S",
                        "SCRAM-SHA-256=[name=alice,password=alice-secret]"))
                .isZero();

        assertThat(shown(out)).contains("--add-scram does nothing here", "process.roles=[BROKER]");
    }

    @Test
    void saysWhatIsWrongWithAnArgument() {
        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-s", "-f", "group.version"))
                .isOne();
        assertThat(run("-t", CLUSTER, "-c", controller.toString(), "-s", "-r", "9.9"))
                .isOne();
        assertThat(run("-c", broker.toString())).isOne();
        assertThat(run("-t")).isOne();
        assertThat(run("--nonsense")).isOne();
        assertThat(run("-t", CLUSTER, "-c", broker.toString(), "-s")).isOne();

        assertThat(shown(err).lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("--feature group.version must be NAME=LEVEL"),
                        line -> assertThat(line).contains("--release-version 9.9 is not known"),
                        line -> assertThat(line).contains("-t CLUSTER_ID is missing"),
                        line -> assertThat(line).contains("-t needs a value"),
                        line -> assertThat(line).contains("argument not understood: --nonsense"),
                        line -> assertThat(line).contains("--standalone and --initial-controllers are for a quorum"));
    }

    @Test
    void infoShowsWhatIsThereAndWhatIsNot() throws IOException {
        run("-t", CLUSTER, "-c", broker.toString());
        Files.delete(home.resolve("b2/meta.properties"));
        out.reset();

        assertThat(run("info", "-c", broker.toString())).isOne();

        assertThat(shown(out))
                .contains("Found log directories:", "cluster.id=" + CLUSTER)
                .contains("Found problem:", home.resolve("b2") + " is not formatted.");
    }

    @Test
    void makesIds() {
        assertThat(run("random-uuid")).isZero();

        assertThat(Uuid.fromString(shown(out).strip()).toString()).hasSize(22);
    }

    @Test
    void helpHasExamples() {
        assertThat(run("--help")).isZero();

        assertThat(shown(out)).startsWith("usage: gregor format").contains("examples:");
    }

    private int run(String... args) {
        return FormatCommand.run(
                List.of(args),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private static String shown(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
