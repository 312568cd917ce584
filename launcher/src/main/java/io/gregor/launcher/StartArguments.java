package io.gregor.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for on the command line. Immutable.
 *
 * @param home data, sockets and run files live below it, absolute
 * @param config the properties file, absolute
 * @param overrides {@code key=value}, in the order given
 */
record StartArguments(Path home, Path config, List<String> overrides, boolean isHelp, boolean isVersion) {

    static final String USAGE =
            """
            usage: gregor start [CONFIG] [--override KEY=VALUE]... [--home DIR]

              CONFIG                 a properties file with Kafka's keys (config/server.properties of the distribution)
              --override KEY=VALUE   takes the place of a value of the file; may be given many times
              --home DIR             data, logs, socket and run files live here (GREGOR_HOME, else the distribution)
              --version              shows the version
              --help                 shows this

            examples:
              gregor start
              gregor start --home /var/lib/gregor --override listeners=PLAINTEXT://:9092,CONTROLLER://:9093
              gregor start config/broker.properties --override node.id=2
            """;

    /**
     * Reads the arguments.
     *
     * @param home the home directory if none is given
     * @param distribution where the default configuration is
     * @throws RefusedStart if an argument is not understood
     */
    static StartArguments parse(List<String> arguments, Path home, Path distribution) {
        Path chosenHome = home;
        @Nullable Path config = null;
        List<String> overrides = new ArrayList<>();
        boolean help = false;
        boolean version = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            String name = argument.startsWith("--") ? argument.split("=", 2)[0] : argument;
            switch (name) {
                case "--help", "-h" -> help = true;
                case "--version" -> version = true;
                case "--home", "--override" -> {
                    String value;
                    if (name.length() < argument.length()) {
                        value = argument.substring(name.length() + 1);
                    } else if (++i < arguments.size()) {
                        value = arguments.get(i);
                    } else {
                        throw new RefusedStart(name + " needs a value; see gregor start --help");
                    }
                    if (name.equals("--home")) {
                        chosenHome = Path.of(value);
                    } else {
                        overrides.add(override(value));
                    }
                }
                default -> {
                    if (argument.startsWith("-") || config != null) {
                        throw new RefusedStart(
                                "argument not understood: " + beginning(argument, "=") + "; see gregor start --help");
                    }
                    config = Path.of(argument);
                }
            }
        }
        Path file = config == null ? distribution.resolve("config/server.properties") : config;
        return new StartArguments(absolute(chosenHome), absolute(file), List.copyOf(overrides), help, version);
    }

    private static String override(String value) {
        if (value.indexOf('=') < 1) {
            throw new RefusedStart("--override " + beginning(value, "[^\\w.-]") + " must be KEY=VALUE");
        }
        return value;
    }

    /** What goes before; the rest may be a secret, and the console is kept. */
    private static String beginning(String typed, String end) {
        String shown = typed.split(end, 2)[0];
        return shown.equals(typed) ? typed : shown + "[hidden]";
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }
}
