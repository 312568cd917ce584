package io.gregor.itest.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellIT {
    @TempDir
    static Path home;

    private static GregorProcess node;

    @BeforeAll
    static void start() {
        node = GregorProcess.start(home);
    }

    @AfterAll
    static void stop() {
        node.close();
        assertThat(socket()).doesNotExist();
    }

    @Test
    void socketIsForItsUserOnly() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void showsListenersProcessorsAndQueuesOfBothRoles() throws IOException {
        assertThat(call("listener:list"))
                .contains("broker", "PLAINTEXT", "127.0.0.1:" + node.port())
                .contains("controller", "CONTROLLER", "127.0.0.1:" + node.controllerPort())
                .endsWith("\0" + "0");
        assertThat(call("processor:list")).contains("data-plane-kafka-network-thread-1-PLAINTEXT-PLAINTEXT-0");
        assertThat(call("queue:show").lines().filter(line -> line.contains("500")))
                .hasSize(2);
        assertThat(call("node:show")).contains("broker (ready), controller (ready)", home.toString());
        assertThat(call("handler:list api=Metadata")).contains("MetadataHandler", "io.gregor.handlers-cluster", "0-13");
    }

    @Test
    void showsAConnectionWithItsLastApi() throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            client.call(new ApiVersionsRequest.Builder().build((short) 3), 1);

            assertThat(call("connection:list " + client.localPort()))
                    .contains("User:ANONYMOUS", "ApiVersions", ":" + client.localPort() + "-");
        }
    }

    @Test
    void showsQuotasTransactionsAndLogDirectories() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", node.bootstrap(), "transactional.id", "pay"),
                        new StringSerializer(),
                        new StringSerializer())) {
            ClientQuotaEntity alice = new ClientQuotaEntity(Map.of("user", "alice"));
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            alice, List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 2048.0)))))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("orders", "v")).get(20, TimeUnit.SECONDS);

            assertThat(words("quota:list")).contains("user=alice producer_byte_rate 2048 -");
            assertThat(words("transaction:list id=pay"))
                    .anyMatch(line -> line.matches("pay Ongoing \\d+ \\d+ \\d+ 1m00s \\d+m?s orders-0"));
            assertThat(words("log-dir:list state=online"))
                    .anyMatch(
                            line -> line.matches(Pattern.quote(home.toString()) + "/\\S+ \\S{22} online \\d+ \\d+ 0"));
            producer.commitTransaction();
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(words("transaction:list id=pay"))
                    .anyMatch(line -> line.matches("pay CompleteCommit \\d+ \\d+ \\d+ 1m00s - -")));
        }
    }

    private static List<String> words(String command) throws IOException {
        return call(command)
                .lines()
                .map(line -> line.replaceAll(" +", " ").strip())
                .toList();
    }

    @Test
    void unknownCommandFailsAndNamesTheNearest() throws IOException {
        assertThat(call("lisener:list")).contains("did you mean listener:list").endsWith("\0" + "1");
        assertThat(call("connection:list colour=red"))
                .contains("unknown column")
                .endsWith("\0" + "1");
    }

    @Test
    void everyCommandOfOursHasHelpAndAnExample() throws IOException {
        String overview = call("help");

        for (String command : List.of(
                "change:list",
                "change:show",
                "change:undo",
                "config:set",
                "config:show",
                "config:unset",
                "connection:kill",
                "connection:list",
                "gregor:help",
                "handler:list",
                "handlers:threads",
                "listener:add",
                "listener:list",
                "listener:remove",
                "listener:set",
                "log-dir:list",
                "log:level",
                "node:show",
                "processor:list",
                "processors:set",
                "queue:show",
                "quota:list",
                "shell:complete",
                "transaction:list",
                "tune:show")) {
            assertThat(overview).contains(command);
            assertThat(call("help " + command)).contains("example: ").endsWith("\0" + "0");
        }
        assertThat(call("shell:complete con"))
                .isEqualTo("config:set\nconfig:show\nconfig:unset\nconnection:kill\nconnection:list\n\0" + "0");
    }

    @Test
    void manyClientsAreServedAndThoseThatGoAwayDoNoHarm() {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(Background.supply(() -> {
                try {
                    SocketChannel.open(UnixDomainSocketAddress.of(socket())).close();
                    return call("queue:show");
                } catch (IOException fault) {
                    throw new IllegalStateException(fault);
                }
            }));
        }

        assertThat(answers).allSatisfy(answer -> assertThat(answer)
                .succeedsWithin(Duration.ofSeconds(30))
                .asString()
                .endsWith("\0" + "0"));
    }

    @Test
    void commandsBeyondTheLimitAreRefused() throws IOException {
        assertThat(call("x".repeat(70_000))).contains("command too long").endsWith("\0" + "1");
    }

    private static Path socket() {
        return home.resolve("run").resolve("gregor.sock");
    }

    private static String call(String command) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            ByteBuffer bytes = UTF_8.encode(command);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.shutdownOutput();
            return new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
        }
    }
}
