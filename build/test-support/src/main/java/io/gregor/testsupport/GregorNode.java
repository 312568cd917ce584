package io.gregor.testsupport;

import static org.awaitility.Awaitility.await;

import io.gregor.launcher.EmbeddedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.TerminalFailureException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real node, broker and controller in one, in the JVM of the test: on free ports of the loopback address, with a home of its
 * own, which is deleted at the end. As a JUnit extension it runs while the tests of a class run (a static field) or while one of
 * them does (an instance field); without JUnit, between {@link #start} and {@link #close}. One at a time in a JVM. Owned by the
 * test's thread.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final GregorNode NODE = GregorNode.builder().projectPlugin().build();
 * }</pre>
 */
public final class GregorNode
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    private final GregorNodeBuilder settings;
    private @Nullable RunningNode running;
    private boolean isForAll;

    GregorNode(GregorNodeBuilder settings) {
        this.settings = settings;
    }

    /** What the node is to be like. */
    public static GregorNodeBuilder builder() {
        return new GregorNodeBuilder();
    }

    /**
     * Starts the node with the plugins it was told of; returns when it answers and they are used. For who does without JUnit.
     *
     * @throws IllegalStateException if it cannot start, or a plugin is broken; the message says why
     */
    public GregorNode start() {
        if (running != null) {
            throw new IllegalStateException("the node runs already: home=" + running.home());
        }
        running = RunningNode.start(settings);
        try {
            waiting("the node to answer").until(this::answers);
            for (PluginJar plugin : settings.plugins()) {
                awaitPlugin(plugin.name());
            }
            return this;
        } catch (TerminalFailureException ended) {
            close();
            throw new IllegalStateException(ended.getMessage(), ended);
        } catch (RuntimeException fault) {
            close();
            throw fault;
        }
    }

    private boolean answers() {
        try (ApiClient client = connect()) {
            return client.versions(0).isPresent();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** For {@code bootstrap.servers} of clients. */
    public String bootstrapServers() {
        return "127.0.0.1:" + running().port();
    }

    /** Where the node keeps all it writes: {@code data}, {@code deploy}, {@code run}. */
    public Path home() {
        return running().home();
    }

    /** A new connection to the node, for new API keys above all. */
    public ApiClient connect() {
        return ApiClient.connect(running().port(), settings.limit());
    }

    /**
     * Puts a plugin into {@code deploy/} and waits until the node uses it. One of the same name is replaced.
     *
     * @param plugin a jar, or a directory with the content of one, as {@code target/classes}
     * @return its name, the {@code Bundle-SymbolicName}
     * @throws IllegalArgumentException if it is no bundle
     * @throws IllegalStateException if the node finds it broken; the message says why
     */
    public String deploy(Path plugin) {
        PluginJar jar = PluginJar.of(plugin);
        PluginState before = state(jar.name());
        copy(jar);
        PluginState after = waiting("plugin " + jar.name() + " to be used")
                .until(() -> state(jar.name()), state -> state.isSettled(before));
        refuseIfBroken(jar.name(), after);
        return jar.name();
    }

    /** The same with the one jar in {@code target}, which the build of this project has made. */
    public String deployProject() {
        return deploy(PluginJar.ofProject().path());
    }

    private void copy(PluginJar plugin) {
        try {
            plugin.copyTo(home().resolve("deploy"));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /**
     * Takes a plugin out of {@code deploy/} and waits until the node has let it go.
     *
     * @param name what {@link #deploy} has returned
     */
    public void remove(String name) {
        try {
            Files.delete(home().resolve("deploy").resolve(name + ".jar"));
        } catch (IOException fault) {
            throw new UncheckedIOException("no such plugin is deployed: name=" + name, fault);
        }
        waiting("plugin " + name + " to leave").until(() -> !state(name).isKnown());
    }

    /**
     * Waits until the node uses a plugin.
     *
     * @throws IllegalStateException if the node finds it broken; the message says why
     */
    public void awaitPlugin(String name) {
        PluginState found = waiting("plugin " + name + " to be used")
                .until(() -> state(name), state -> state.isLive() || state.isBroken());
        refuseIfBroken(name, found);
    }

    private PluginState state(String name) {
        return PluginState.of(running().node(), name);
    }

    private static void refuseIfBroken(String name, PluginState state) {
        if (state.isBroken()) {
            throw new IllegalStateException("plugin is broken: name=" + name + "\n" + state.text());
        }
    }

    /** Waits until the node says that it serves an API key. */
    public void awaitServed(int apiKey) {
        waiting("API key " + apiKey + " to be served").until(() -> isServed(apiKey));
    }

    /** Waits until the node does not say any more that it serves an API key. */
    public void awaitNotServed(int apiKey) {
        waiting("API key " + apiKey + " not to be served any more").until(() -> !isServed(apiKey));
    }

    private boolean isServed(int apiKey) {
        try (ApiClient client = connect()) {
            return client.versions(apiKey).isPresent();
        }
    }

    /**
     * Sends a command to the node's shell, as {@code gregor shell} does.
     *
     * @return its status, 0 if it went well, and what it printed
     */
    public EmbeddedNode.Answer shell(String command) {
        return running().node().shell(command);
    }

    private ConditionFactory waiting(String what) {
        return await("waiting for " + what)
                .atMost(settings.limit())
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .failFast(
                        "the node ended, its warnings above say why",
                        () -> !running().node().isRunning());
    }

    private RunningNode running() {
        if (running == null) {
            throw new IllegalStateException("the node does not run; start it, or register it with @RegisterExtension");
        }
        return running;
    }

    /** Stops the node and deletes its home, unless the home was chosen. May be called more than once. */
    @Override
    public void close() {
        RunningNode former = running;
        running = null;
        if (former != null) {
            former.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        isForAll = true;
        start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!isForAll) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!isForAll) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        isForAll = false;
        close();
    }
}
