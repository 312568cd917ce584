package io.gregor.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A node in a JVM that belongs to somebody else, as a test: it leaves the JVM's life, its system properties and its logging
 * alone. What is logged, and where to, is the business of the Logback configuration that is there. One after the other is
 * fine; at the same time they would share the names of their MBeans. Shared: any thread; {@link #start} is called once.
 */
public final class EmbeddedNode implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private final Path home;
    private final NodeRun run;

    private EmbeddedNode(Path home, NodeRun run) {
        this.home = home;
        this.run = run;
    }

    /**
     * Starts a node; returns when its bundles are started. It answers a little later, when its listeners open.
     *
     * @param distribution the unpacked distribution
     * @param home where the node keeps all it writes; its path is shorter than about 90 characters
     * @param config a properties file with Kafka's keys
     * @param overrides {@code key=value}, in front of what the file says
     * @throws IllegalStateException if it cannot start; the message says why
     */
    public static EmbeddedNode start(Path distribution, Path home, Path config, List<String> overrides) {
        StartArguments arguments = new StartArguments(
                home.toAbsolutePath().normalize(), config.toAbsolutePath().normalize(), overrides, false, false);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Threads of the node inherit it: what a JVM like ours has on its class path must not be found by name.
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            NodeRun run = prepare(arguments, distribution.toAbsolutePath());
            run.start();
            return new EmbeddedNode(arguments.home(), run);
        } catch (RefusedStart refused) {
            throw new IllegalStateException(refused.reason(), refused);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static NodeRun prepare(StartArguments arguments, Path distribution) throws IOException {
        HomeLock lock = HomeLock.take(arguments.home());
        try {
            return NodeRun.of(arguments, distribution, lock, new ProcessOwner(false, STOP_LIMIT, status -> {}));
        } catch (RefusedStart | IOException fault) {
            lock.close();
            throw fault;
        }
    }

    /** Whether it has neither been stopped nor asked to end because of a fault, which the log has. */
    public boolean isRunning() {
        return run.isRunning();
    }

    /**
     * Sends a command to the node's shell and waits for its end.
     *
     * @throws UncheckedIOException if the node does not answer
     */
    public Answer shell(String command) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try {
            int status =
                    ShellClient.send(home.resolve("run/gregor.sock"), command, new PrintStream(output, false, UTF_8));
            return new Answer(status, output.toString(UTF_8));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** The framework's number of the newest bundle with this symbolic name; -1 if there is none. */
    public long newestBundle(String symbolicName) {
        return run.newestBundle(symbolicName);
    }

    /** Stops it cleanly, and returns when that is done or has taken a minute. May be called more than once. */
    @Override
    public void close() {
        run.stop();
    }

    /** What a command of the shell has answered: its status, 0 if it went well, and what it printed. Immutable. */
    public record Answer(int status, String output) {}
}
