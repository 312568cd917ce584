package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's Admin client and the shell are two doors to one change: the end is the same, also after a restart. */
class DoorsLeadToTheSameStateIT {
    private static final String ADVERTISED = "kafka.example:19092";
    private static final String OWN_KEY = "listener.name.extra.max.connections";
    private static final String OWN_THREADS = "listener.name.extra.num.network.threads";

    @TempDir
    private Path home;

    private ChangingNode node;
    private int port;

    @BeforeEach
    void start() throws Exception {
        node = ChangingNode.start(home);
        port = GregorProcess.freePort();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    @Test
    void throughAdminAndThroughTheShellUnderLoadAndAfterARestart() throws Exception {
        State untouched = State.of(node, port);
        State byAdmin;
        State byShell;
        try (Load load = Load.start(node.port(), 64, 20)) {
            load.during("changes through Admin", this::changeThroughAdmin);
            byAdmin = State.of(node, port);
            load.during("and back", this::undoThroughAdmin);
            assertThat(State.of(node, port)).isEqualTo(untouched);

            load.during("changes through the shell", this::changeThroughShell);
            byShell = State.of(node, port);
            load.finish();
        }
        assertThat(byShell).isEqualTo(byAdmin);
        assertThat(byShell.threads).containsEntry("request-handler", 24L);
        assertThat(byShell.threads).containsEntry("network-thread-1-EXTRA-PLAINTEXT", 5L);
        assertThat(byShell.advertised).isEqualTo(ADVERTISED);
        String journal = node.shell("change:list");

        node.restart();

        assertThat(State.of(node, port)).isEqualTo(byShell);
        assertThat(node.shell("change:list")).isEqualTo(journal);
        node.shell("listener:remove EXTRA");
        assertThat(node.stored())
                .containsOnlyKeys("/max.connections.per.ip", "1/num.io.threads", "1/queued.max.requests");
    }

    @Test
    void journalTellsWhoChangedWhatAndTakesItBackAlsoAfterARestart() throws Exception {
        String user = System.getProperty("user.name");
        node.set("num.io.threads=12");
        node.shell("config:set queued.max.requests=100");
        assertThat(node.process().shell("handlers:threads 100").status()).isEqualTo(1);
        assertThat(node.shell("change:list").lines())
                .anyMatch(isLine("1", "User:ANONYMOUS", "admin", "num\\.io\\.threads", "applied"))
                .anyMatch(isLine("2", user, "shell", "queued\\.max\\.requests", "applied"))
                .anyMatch(isLine("3", user, "shell", "num\\.io\\.threads", "refused: .*double.*"));
        assertThat(node.shell("change:show 1").lines()).anyMatch(line -> line.matches("num\\.io\\.threads +- +12 *"));

        node.shell("change:undo --dry-run");
        assertThat(node.value("queued.max.requests")).isEqualTo("100");
        node.shell("change:undo");
        assertThat(node.value("queued.max.requests")).isEqualTo("500");

        node.restart();

        assertThat(node.value("num.io.threads")).isEqualTo("12");
        assertThat(node.shell("change:list").lines())
                .anyMatch(isLine("4", user, "shell", "queued\\.max\\.requests", "applied.*"));
        node.shell("change:undo 1");
        assertThat(node.value("num.io.threads")).isEqualTo("8");
        assertThat(node.stored()).isEmpty();
    }

    private static Predicate<String> isLine(String number, String who, String door, String keys, String result) {
        String when = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";
        String columns = String.join(" +", number, when, who, door, "node", keys, result);
        return line -> line.matches(" *" + columns);
    }

    private void changeThroughAdmin() throws Exception {
        node.set(
                "listeners=PLAINTEXT://127.0.0.1:" + node.port() + ",CONTROLLER://127.0.0.1:"
                        + node.process().controllerPort() + ",EXTRA://127.0.0.1:" + port,
                "advertised.listeners=PLAINTEXT://127.0.0.1:" + node.port() + ",EXTRA://" + ADVERTISED,
                "listener.security.protocol.map=CONTROLLER:PLAINTEXT,EXTRA:PLAINTEXT,PLAINTEXT:PLAINTEXT",
                OWN_KEY + "=500");
        node.set(OWN_THREADS + "=5");
        node.set("num.io.threads=12");
        node.set("queued.max.requests=100");
        node.setForAll("max.connections.per.ip=1000");
    }

    private void undoThroughAdmin() throws Exception {
        node.delete(
                "listeners",
                "advertised.listeners",
                "listener.security.protocol.map",
                OWN_KEY,
                OWN_THREADS,
                "num.io.threads",
                "queued.max.requests");
        node.deleteForAll("max.connections.per.ip");
    }

    private void changeThroughShell() {
        gregorShell("listener:add EXTRA 127.0.0.1:" + port + " --protocol PLAINTEXT --advertised " + ADVERTISED
                + " --set max.connections=500");
        gregorShell("processors:set 5 EXTRA");
        gregorShell("handlers:threads 12");
        gregorShell("config:set queued.max.requests=100");
        gregorShell("config:set --cluster max.connections.per.ip=1000");
    }

    /** The command of the distribution, a process of its own. */
    private void gregorShell(String command) {
        Finished finished = node.process().shell(command);
        assertThat(finished.status()).as(finished.output()).isZero();
    }

    /** What is stored, what is there, and what clients are told. */
    private record State(
            Map<String, List<String>> stored, List<String> listeners, Map<String, Long> threads, String advertised) {
        static State of(ChangingNode node, int port) throws Exception {
            Map<String, List<String>> stored = new TreeMap<>();
            node.stored()
                    .forEach((key, value) -> stored.put(
                            key, Arrays.stream(value.split(",")).sorted().toList()));
            List<String> listeners = node.shell("listener:list")
                    .lines()
                    .map(line -> line.replaceAll(" +\\d+ *$", ""))
                    .toList();
            boolean isAdded = stored.containsKey("1/listeners");
            if (isAdded) {
                node.awaitProcessors("EXTRA", 5);
            }
            Map<String, Long> threads = node.jmx().threads("data-plane-kafka-").stream()
                    .collect(Collectors.groupingBy(
                            name -> name.replace("data-plane-kafka-", "").replaceAll("-\\d+$", ""),
                            TreeMap::new,
                            Collectors.counting()));
            return new State(stored, listeners, threads, isAdded ? ChangingNode.advertised(port) : "");
        }
    }
}
