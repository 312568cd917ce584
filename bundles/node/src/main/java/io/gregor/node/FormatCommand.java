package io.gregor.node;

import io.gregor.node.internal.FormatArguments;
import io.gregor.node.internal.StartRefused;
import io.gregor.node.internal.StorageCommands;
import java.io.PrintStream;
import java.util.List;
import org.apache.kafka.metadata.storage.FormatterException;

/**
 * {@code gregor format}: formats a node's log directories by hand, with the options of Kafka's {@code kafka-storage.sh}.
 * Owned by the main thread. Exit status: 0, or 1 with one line on standard error that says why.
 */
public final class FormatCommand {
    private FormatCommand() {}

    /** The arguments; {@code gregor.home} and {@code gregor.dist} are system properties. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            return StorageCommands.run(FormatArguments.parse(args), out);
        } catch (StartRefused | FormatterException refused) {
            err.println("gregor format: " + refused.getMessage());
            return 1;
        } catch (Exception fault) {
            err.println("gregor format: " + fault);
            return 1;
        }
    }
}
