package io.gregor.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Starts a node and stays until it stops. Exit status: 0 after a stop that was asked for, 1 for a start that was refused
 * or a fault, 143 after SIGTERM and 130 after SIGINT, both with a clean stop. Owned by the main thread.
 */
public final class Main {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(Long.getLong("gregor.stop.limit.seconds", 180));

    private Main() {}

    /** Takes the arguments of {@code gregor start}; {@code gregor.dist} and {@code gregor.home} are system properties. */
    public static void main(String[] args) {
        System.exit(run(List.of(args)));
    }

    private static int run(List<String> args) {
        try {
            Path distribution = Path.of(System.getProperty("gregor.dist", ".")).toAbsolutePath();
            Path home = Path.of(System.getProperty("gregor.home", distribution.toString()));
            StartArguments arguments = StartArguments.parse(args, home, distribution);
            if (arguments.isHelp()) {
                System.out.print(StartArguments.USAGE);
                return 0;
            }
            if (arguments.isVersion()) {
                System.out.println(Version.line());
                return 0;
            }
            return runNode(arguments, distribution);
        } catch (RefusedStart refused) {
            refused.reason().lines().forEach(line -> System.err.println("gregor: " + line));
            return 1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 1;
        } catch (IOException fault) {
            System.err.println("gregor: " + fault);
            return 1;
        }
    }

    private static int runNode(StartArguments arguments, Path distribution) throws IOException, InterruptedException {
        if (!Files.isReadable(arguments.config())) {
            throw new RefusedStart("the configuration file cannot be read: " + arguments.config());
        }
        HomeLock lock = HomeLock.take(arguments.home());
        configureLogging(arguments.home(), distribution);
        NodeRun node = NodeRun.of(arguments, distribution, lock, new ProcessOwner(true, STOP_LIMIT, System::exit));
        Runtime.getRuntime().addShutdownHook(new Thread(node::stop, "gregor-stop"));
        node.start();
        return node.awaitEnd();
    }

    /** Before the first logger is made: where the log files go, and which file says what is logged. */
    private static void configureLogging(Path home, Path distribution) {
        System.setProperty("gregor.logs", home.resolve("logs").toString());
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty(
                    "logback.configurationFile",
                    distribution.resolve("config/logback.xml").toString());
        }
    }
}
