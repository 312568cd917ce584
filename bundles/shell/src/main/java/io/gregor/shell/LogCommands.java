package io.gregor.shell;

import io.gregor.internal.node.LogLevels;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import io.gregor.shell.internal.Words;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about the process's log. Shared: any thread. */
@Component(service = LogCommands.class, immediate = true)
@ShellScope(scope = "log", function = "level", example = "log:level kafka.request.logger DEBUG")
public final class LogCommands {
    private static final Syntax LEVEL = Syntax.of(LogCommands.class, "log", "level");
    private static final String PARENTS = "UNSET";

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable LogLevels levels;

    /** Shows or changes levels. */
    @Descriptor("levels of loggers; with a level it counts for this logger until the process ends")
    @Arguments({
        "[LOGGER]: its name; without LEVEL a part of it shows all that have it",
        "[LEVEL]: TRACE, DEBUG, INFO, WARN, ERROR or FATAL, or unset for its parent's",
        "[--dry-run]: tells what would change, changes nothing"
    })
    public String level(CommandSession session, String... typed) {
        Words words = LEVEL.read(typed);
        LogLevels present = levels;
        if (present == null) {
            throw new IllegalArgumentException("log levels cannot be changed yet: the node is not configured, try again"
                    + " when node:show answers");
        }
        return words.find(1).isPresent()
                ? change(present, words.word(0), words.word(1).toUpperCase(Locale.ROOT), words.has("--dry-run"))
                : shown(present, words.find(0).map(List::of).orElse(List.of()));
    }

    private static String shown(LogLevels levels, List<String> filters) {
        Table table = new Table("LOGGER", "LEVEL");
        new TreeMap<>(levels.levels()).forEach(table::add);
        return table.matching(filters).draw();
    }

    private static String change(LogLevels levels, String logger, String level, boolean isDryRun) {
        if (!levels.exists(logger)) {
            throw new IllegalArgumentException("no logger=" + logger + ", log:level lists them");
        }
        String before = levels.levels().get(logger);
        if (isDryRun) {
            return "logger=" + logger + " level=" + before + " would be " + level;
        }
        if (!level.equals(PARENTS)) {
            levels.set(logger, level);
        } else if (!levels.unset(logger)) {
            throw new IllegalArgumentException("logger=" + logger + " has no parent, give it a level");
        }
        return "logger=" + logger + " level=" + levels.levels().get(logger) + " was=" + before;
    }
}
