package io.gregor.itest.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.requests.ApiVersionsRequest;
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
                "log:level",
                "node:show",
                "processor:list",
                "processors:set",
                "queue:show",
                "shell:complete",
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
            answers.add(CompletableFuture.supplyAsync(() -> {
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
