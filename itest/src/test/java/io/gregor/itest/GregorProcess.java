package io.gregor.itest;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A node of the assembled distribution as a process of its own, with its own home directory and ports. The ports stay the
 * same when it is started again. Owned by the test thread.
 */
public final class GregorProcess implements AutoCloseable {
    /** From the start of the process to the first answer; generous, since build machines are slow and shared. */
    public static final Duration READY_LIMIT = Duration.ofSeconds(90);

    /** From SIGTERM to the end of the process. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private static final Path DISTRIBUTION = Path.of(System.getProperty("gregor.dist", "../launcher/target/gregor"));

    private static final String JVM_OPTION = "-D";

    /** Of several processes that test at the same time; 1 if there is one. */
    private static final int FORK = Integer.getInteger("gregor.it.fork", 1);

    private static final int PORTS_OF_A_FORK = 7_500;
    private static final int FIRST_PORT = 15_000 + (FORK - 1) * PORTS_OF_A_FORK;
    private static final int LAST_PORT = FIRST_PORT + PORTS_OF_A_FORK;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT));

    private final Path home;
    private final String config;
    private final int port;
    private final int controllerPort;
    private final List<String> overrides;
    private Process process;

    private GregorProcess(Path home, String config, int port, int controllerPort, List<String> overrides) {
        this.home = home;
        this.config = config;
        this.port = port;
        this.controllerPort = controllerPort;
        this.overrides = overrides;
    }

    /** A combined node that answers requests when this returns; {@code overrides} are {@code key=value}, or {@code -Dname=value} for its JVM. */
    public static GregorProcess start(Path home, String... overrides) {
        return launch(home, overrides).awaitReady();
    }

    /** The same, but it returns when the process is started, ready or not. */
    public static GregorProcess launch(Path home, String... overrides) {
        return launch("server.properties", home, freePort(), freePort(), overrides);
    }

    /**
     * A node with another of the distribution's configurations and chosen ports, one of which means nothing to a node of a
     * single role. Returns when the process is started.
     */
    public static GregorProcess launch(String config, Path home, int port, int controllerPort, String... overrides) {
        List<String> all = new ArrayList<>();
        all.add("controller.quorum.voters=1@127.0.0.1:" + controllerPort);
        all.add("listeners="
                + switch (config) {
                    case "broker.properties" -> "PLAINTEXT://127.0.0.1:" + port;
                    case "controller.properties" -> "CONTROLLER://127.0.0.1:" + controllerPort;
                    default -> "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort;
                });
        all.addAll(Arrays.asList(overrides));
        GregorProcess node = new GregorProcess(home, config, port, controllerPort, all);
        node.launchAgain();
        return node;
    }

    /**
     * A port that nobody uses, another one at each call. It lies below those that the system gives to clients: a client that
     * asks for a node which is not up yet could otherwise be given that very port, and meet itself.
     */
    public static int freePort() {
        while (true) {
            int candidate = NEXT_PORT.getAndUpdate(port -> port < LAST_PORT ? port + 1 : FIRST_PORT);
            if (isFree(candidate)) {
                return candidate;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** Starts the process on the same home with the same arguments; returns at once. */
    public void launchAgain() {
        List<String> command = new ArrayList<>(List.of(
                DISTRIBUTION.resolve("bin/gregor").toString(),
                "start",
                DISTRIBUTION.resolve("config").resolve(config).toString(),
                "--home",
                home.toString()));
        for (String override : overrides) {
            if (!override.startsWith(JVM_OPTION)) {
                command.addAll(List.of("--override", override));
            }
        }
        process = run(command, home.resolve("console.log"), jvmOptions());
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts it again after {@link #stop} or {@link #kill}, and waits until it answers. */
    public void restart() {
        launchAgain();
        awaitReady();
    }

    /** Waits until the broker's listener answers; fails at once if the process ends. */
    public GregorProcess awaitReady() {
        return awaitReady(port);
    }

    /** Waits until the controller's listener answers. */
    public GregorProcess awaitControllerReady() {
        return awaitReady(controllerPort);
    }

    private GregorProcess awaitReady(int answering) {
        try {
            await().atMost(READY_LIMIT)
                    .pollInterval(Duration.ofMillis(50))
                    .failFast("the process ended", () -> !process.isAlive())
                    .until(() -> RawClient.answers(answering));
            return this;
        } catch (RuntimeException notReady) {
            String console = consoleText();
            close();
            throw new IllegalStateException("not ready; its console says:\n" + console, notReady);
        }
    }

    /** Sends SIGTERM, waits for the end and returns the exit status. */
    public int stop() {
        process.destroy();
        return awaitExit();
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Waits until the process ends by itself, and returns its exit status. */
    public int awaitExit() {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("does not end; its console says:\n" + consoleText());
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Runs {@code bin/gregor} with these arguments, waits for its end, and returns what it printed. */
    public static Finished gregor(Path directory, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(DISTRIBUTION.resolve("bin/gregor").toString()));
        command.addAll(Arrays.asList(arguments));
        try {
            Path output = Files.createTempFile(directory, "command", ".log");
            Process finished = run(command, output, List.of());
            if (!finished.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                finished.destroyForcibly();
                throw new IllegalStateException(command + " does not end; it says:\n" + Files.readString(output));
            }
            return new Finished(finished.exitValue(), Files.readString(output));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Sends a command to the node's shell. */
    public Finished shell(String command) {
        return gregor(home, "shell", "--home", home.toString(), command);
    }

    private List<String> jvmOptions() {
        return overrides.stream().filter(one -> one.startsWith(JVM_OPTION)).toList();
    }

    private static Process run(List<String> command, Path output, List<String> jvmOptions) {
        try {
            Files.createDirectories(output.getParent());
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
            Map<String, String> environment = builder.environment();
            environment.put("JAVA_HOME", System.getProperty("java.home"));
            environment.putIfAbsent("GREGOR_HEAP_OPTS", "-Xmx512m");
            // A node of a test lives for seconds: the second compiler would cost more than it brings.
            environment.putIfAbsent("GREGOR_OPTS", "-XX:TieredStopAtLevel=1");
            environment.merge("GREGOR_OPTS", String.join(" ", jvmOptions), (all, own) -> all + " " + own);
            return builder.start();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Where clients connect. */
    public String bootstrap() {
        return "127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public int controllerPort() {
        return controllerPort;
    }

    public Path home() {
        return home;
    }

    public long pid() {
        return process.pid();
    }

    /** How many files and sockets the process has open. */
    public long openFiles() {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid()), "fd"))) {
            return open.count();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What the process printed, over all its starts. */
    public String consoleText() {
        return text(home.resolve("console.log"));
    }

    /** {@code logs/server.log}, over all its starts. */
    public String logText() {
        return text(home.resolve("logs/server.log"));
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Ends the process, cleanly if it can be. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** A command that has ended: its exit status, and what it printed to both streams. */
    public record Finished(int status, String output) {}
}
