package io.gregor.node.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of the format command, as Kafka's storage tool has them. Immutable once parsed. */
public final class FormatArguments {
    /** What can be done. */
    enum Task {
        FORMAT,
        INFO,
        RANDOM_UUID,
        HELP
    }

    static final String USAGE =
            """
            usage: gregor format -t CLUSTER_ID [-c FILE] [OPTION]...
                   gregor format info [-c FILE]
                   gregor format random-uuid

            Formats the log directories of a node. A node that is a cluster of its own needs none of this: its empty
            directories are formatted when it starts. A node of a larger cluster does, with one cluster id for all.

              -t, --cluster-id ID            the cluster's id; random-uuid makes a new one
              -c, --config FILE              the node's configuration; config/server.properties if left out
              --override KEY=VALUE           as for start, repeatable
              -g, --ignore-formatted         leave directories alone that are formatted already
              -s, --standalone               the first controller of a quorum that can grow
              -I, --initial-controllers ID@HOST:PORT:DIRECTORY_ID,...
                                             the first controllers of such a quorum, the same for each of them
              -N, --no-initial-controllers   a controller that joins such a quorum later
              -r, --release-version VERSION  format for this release, for example 4.3
              -f, --feature NAME=LEVEL       a feature's level, repeatable, for example kraft.version=1
              -S, --add-scram CREDENTIAL     a user who may log in by SCRAM from the first start on, repeatable; @FILE for a
                                             file with one a line, since arguments can be seen by others of the machine
              -h, --help                     this text

            examples:
              gregor format random-uuid
              gregor format -t q1Sh-9_ISia_zwGINzRvyQ -c config/controller.properties
              gregor format -t q1Sh-9_ISia_zwGINzRvyQ -c config/broker.properties --ignore-formatted
              gregor format -t q1Sh-9_ISia_zwGINzRvyQ --standalone --feature group.version=1
              gregor format -t q1Sh-9_ISia_zwGINzRvyQ -S 'SCRAM-SHA-256=[name=alice,password=alice-secret]'
              gregor format -t q1Sh-9_ISia_zwGINzRvyQ -S @users.txt
            """;

    Task task = Task.FORMAT;

    @Nullable
    String clusterId;

    @Nullable
    Path config;

    boolean isIgnoreFormatted;
    boolean isStandalone;
    boolean isNoInitialControllers;

    @Nullable
    String initialControllers;

    @Nullable
    String releaseVersion;

    final List<String> features = new ArrayList<>();
    final List<String> scram = new ArrayList<>();
    final List<String> overrides = new ArrayList<>();

    private FormatArguments() {}

    /** Parses; a {@link StartRefused} says what is wrong. */
    public static FormatArguments parse(List<String> args) {
        FormatArguments parsed = new FormatArguments();
        Iterator<String> rest = args.iterator();
        for (boolean isFirst = true; rest.hasNext(); isFirst = false) {
            String argument = rest.next();
            if (!(isFirst && parsed.takesTask(argument))) {
                parsed.take(argument, rest);
            }
        }
        parsed.checkTogether();
        return parsed;
    }

    private boolean takesTask(String argument) {
        switch (argument) {
            case "format" -> task = Task.FORMAT;
            case "info" -> task = Task.INFO;
            case "random-uuid" -> task = Task.RANDOM_UUID;
            default -> {
                return false;
            }
        }
        return true;
    }

    private void take(String argument, Iterator<String> rest) {
        int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
        String option = equals < 0 ? argument : argument.substring(0, equals);
        Iterator<String> values =
                equals < 0 ? rest : List.of(argument.substring(equals + 1)).iterator();
        switch (option) {
            case "-h", "--help" -> task = Task.HELP;
            case "-g", "--ignore-formatted" -> isIgnoreFormatted = true;
            case "-s", "--standalone" -> isStandalone = true;
            case "-N", "--no-initial-controllers" -> isNoInitialControllers = true;
            case "-t", "--cluster-id" -> clusterId = value(option, values);
            case "-c", "--config" -> config = Path.of(value(option, values));
            case "-I", "--initial-controllers" -> initialControllers = value(option, values);
            case "-r", "--release-version" -> releaseVersion = value(option, values);
            case "-f", "--feature" -> features.add(value(option, values));
            case "-S", "--add-scram" -> scram.add(value(option, values));
            case "--override" -> overrides.add(value(option, values));
            default -> throw new StartRefused("argument not understood: " + argument + ", see gregor format --help");
        }
    }

    private static String value(String option, Iterator<String> values) {
        if (!values.hasNext()) {
            throw new StartRefused(option + " needs a value, see gregor format --help");
        }
        return values.next();
    }

    private void checkTogether() {
        int quorums = (isStandalone ? 1 : 0) + (isNoInitialControllers ? 1 : 0) + (initialControllers == null ? 0 : 1);
        if (quorums > 1) {
            throw new StartRefused(
                    "only one of --standalone, --initial-controllers and --no-initial-controllers can be given");
        }
        if (task == Task.FORMAT && clusterId == null) {
            throw new StartRefused("-t CLUSTER_ID is missing: take the id of the cluster that the node belongs to, or a"
                    + " new one from gregor format random-uuid; see gregor format --help");
        }
    }
}
