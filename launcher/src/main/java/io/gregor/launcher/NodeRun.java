package io.gregor.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.launch.Framework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a node, from the lock on its home to the end of its framework, whoever owns the process. Shared: any thread may
 * {@link #stop} it; the others are called by the thread that starts it.
 */
final class NodeRun {
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeRun.class);

    private final List<PlacedBundle> bundles;
    private final Framework framework;
    private final CleanStop stop;
    private final ExitRequest exit;

    private NodeRun(List<PlacedBundle> bundles, Framework framework, CleanStop stop, IntConsumer afterExit) {
        this.bundles = bundles;
        this.framework = framework;
        this.stop = stop;
        this.exit = new ExitRequest(status -> {
            stop.run();
            afterExit.accept(status);
        });
    }

    /**
     * Gets ready to start; nothing runs yet.
     *
     * @param lock held on the home; the run gives it back when it has stopped
     * @param owner of the process
     * @throws RefusedStart if the distribution is damaged
     */
    static NodeRun of(StartArguments arguments, Path distribution, HomeLock lock, ProcessOwner owner)
            throws IOException {
        LOGGER.info(
                "starting {}: home={} config={} pid={} java={}",
                Version.line(),
                arguments.home(),
                arguments.config(),
                ProcessHandle.current().pid(),
                Runtime.version());
        emptyTemporaryFiles(arguments.home().resolve("run/tmp"));
        List<PlacedBundle> bundles = PlacedBundle.in(distribution.resolve("bundles"));
        Framework framework = new FrameworkFactory()
                .newFramework(FrameworkProperties.of(arguments, distribution, owner.hasConsole()));
        return new NodeRun(bundles, framework, new CleanStop(framework, lock, owner.stopLimit()), owner.afterExit());
    }

    /**
     * Starts the bundles; returns when the last start level is reached, or when the node has asked to end.
     *
     * @throws RefusedStart if they cannot be started; the run is then stopped
     */
    void start() {
        try {
            new BundleStart(framework, exit).run(bundles);
        } catch (RefusedStart refused) {
            stop();
            throw refused;
        }
    }

    /** Waits until it has stopped, and returns the status that the node has asked for, else 0. */
    int awaitEnd() throws InterruptedException {
        framework.waitForStop(0);
        return exit.statusOr(0);
    }

    /** Stops it, if nobody else does, and returns when that is done or its limit has passed. */
    void stop() {
        stop.run();
    }

    /** Whether its framework is up and the node has not asked to end. */
    boolean isRunning() {
        return framework.getState() == Bundle.ACTIVE && !exit.isMade();
    }

    /** The newest bundle with this symbolic name; -1 if there is none. */
    long newestBundle(String symbolicName) {
        BundleContext context = framework.getBundleContext();
        return context == null
                ? -1
                : Stream.of(context.getBundles())
                        .filter(bundle -> symbolicName.equals(bundle.getSymbolicName()))
                        .mapToLong(Bundle::getBundleId)
                        .max()
                        .orElse(-1);
    }

    /** Natives and the like that a killed process left behind. Only after the lock is held: they may be in use. */
    private static void emptyTemporaryFiles(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted((a, b) -> b.compareTo(a)).toList();
            for (Path file : deepestFirst) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }
}
