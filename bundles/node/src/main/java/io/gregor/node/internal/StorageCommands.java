package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.metadata.storage.FormatterException;
import org.apache.kafka.raft.DynamicVoters;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.config.ServerConfigs;

/** Does what the format command was asked for. Owned by the main thread. */
public final class StorageCommands {
    private StorageCommands() {}

    /** Runs one task and returns the exit status. */
    public static int run(FormatArguments arguments, PrintStream out) throws Exception {
        switch (arguments.task) {
            case HELP -> out.print(FormatArguments.USAGE);
            case RANDOM_UUID -> out.println(Uuid.randomUuid());
            case INFO -> {
                return StorageReport.print(config(arguments), out);
            }
            case FORMAT -> format(arguments, config(arguments), out);
        }
        return 0;
    }

    private static NodeConfig config(FormatArguments arguments) {
        Path home =
                Path.of(System.getProperty("gregor.home", "")).toAbsolutePath().normalize();
        Path file = arguments.config;
        if (file == null) {
            file = Path.of(System.getProperty("gregor.dist", ""), "config", "server.properties");
        }
        return ConfigReading.read(Settings.read(file, arguments.overrides).provided(), home);
    }

    private static void format(FormatArguments arguments, NodeConfig config, PrintStream out) throws Exception {
        Formatter formatter = FirstFormat.formatter(config, out)
                .setClusterId(String.valueOf(arguments.clusterId))
                .setIgnoreFormatted(arguments.isIgnoreFormatted);
        if (arguments.releaseVersion != null) {
            formatter.setReleaseVersion(release(config, arguments.releaseVersion));
        }
        for (String feature : arguments.features) {
            setFeature(formatter, feature);
        }
        setControllers(arguments, config, formatter);
        List<String> credentials = ScramArguments.read(arguments.scram);
        if (credentials.isEmpty()) {
            formatter.run();
        } else {
            formatWithCredentials(formatter.setScramArguments(credentials), credentials, config, out);
        }
    }

    private static void formatWithCredentials(
            Formatter formatter, List<String> credentials, NodeConfig config, PrintStream out) throws Exception {
        if (!config.roles().contains(Role.CONTROLLER)) {
            out.println("--add-scram does nothing here: credentials are stored by controllers, and process.roles="
                    + List.copyOf(config.roles()) + " has none");
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            formatter
                    .setPrintStream(new PrintStream(said, true, StandardCharsets.UTF_8))
                    .run();
        } catch (FormatterException refused) {
            throw ScramArguments.repeats(String.valueOf(refused.getMessage()), credentials)
                    ? ScramArguments.refusal()
                    : refused;
        } finally {
            ScramArguments.withoutCredentials(said.toString(StandardCharsets.UTF_8))
                    .forEach(out::println);
        }
    }

    private static MetadataVersion release(NodeConfig config, String version) {
        try {
            return MetadataVersion.fromVersionString(
                    version, config.values().getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG));
        } catch (IllegalArgumentException unknown) {
            throw new StartRefused("--release-version " + version + " is not known: the newest is "
                    + MetadataVersion.LATEST_PRODUCTION + ", the oldest " + MetadataVersion.MINIMUM_VERSION);
        }
    }

    private static void setFeature(Formatter formatter, String feature) {
        int equals = feature.indexOf('=');
        try {
            if (equals > 0) {
                formatter.setFeatureLevel(
                        feature.substring(0, equals).strip(),
                        Short.valueOf(feature.substring(equals + 1).strip()));
                return;
            }
        } catch (NumberFormatException noLevel) {
            // The message below says what is right for both mistakes.
        }
        throw new StartRefused(
                "--feature " + feature + " must be NAME=LEVEL with a number, for example kraft.version=1");
    }

    private static void setControllers(FormatArguments arguments, NodeConfig config, Formatter formatter) {
        boolean isDynamic = new QuorumConfig(config.values()).voters().isEmpty();
        boolean isController = config.roles().contains(Role.CONTROLLER);
        String named = arguments.initialControllers;
        if (!isDynamic && (named != null || arguments.isStandalone)) {
            throw new StartRefused("--standalone and --initial-controllers are for a quorum that can grow: remove"
                    + " controller.quorum.voters and set controller.quorum.bootstrap.servers, or leave the option out");
        }
        if (named != null) {
            formatter.setInitialControllers(DynamicVoters.parse(named));
        }
        if (arguments.isStandalone) {
            if (!isController) {
                throw new StartRefused("--standalone is for a controller, and process.roles="
                        + List.copyOf(config.roles()) + " has none");
            }
            formatter.setInitialControllers(FirstFormat.ownVoters(config));
        }
        if (isDynamic
                && isController
                && !arguments.isNoInitialControllers
                && formatter.initialVoters().isEmpty()) {
            throw new StartRefused("controller.quorum.voters is not set, so one of --standalone, --initial-controllers"
                    + " and --no-initial-controllers must be given");
        }
    }
}
