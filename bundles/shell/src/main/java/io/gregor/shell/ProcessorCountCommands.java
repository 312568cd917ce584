package io.gregor.shell;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ListenerWish;
import io.gregor.shell.internal.Standing;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Wish;
import io.gregor.shell.internal.Words;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.network.SocketServerConfigs;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Changes the number of processors, the network threads. Immutable. */
@Component(service = ProcessorCountCommands.class, immediate = true)
@ShellScope(scope = "processors", function = "set", example = "processors:set 6 EXTERNAL")
public final class ProcessorCountCommands {
    private static final Syntax SET = Syntax.of(ProcessorCountCommands.class, "processors", "set");

    private final Changes changes;

    /** Made by the service registry. */
    @Activate
    public ProcessorCountCommands(@Reference Changes changes) {
        this.changes = changes;
    }

    /** Changes it. */
    @Descriptor("the number of network threads of each listener, or of one; connections stay")
    @Arguments({
        "N: no less than half of now (rounded down), no more than double",
        "[LISTENER]: this one alone; else all that have no number of their own",
        "[--dry-run]: tries it, changes nothing"
    })
    public String set(CommandSession session, String... typed) {
        Words words = SET.read(typed);
        String number = String.valueOf(words.positive(0));
        Standing standing = changes.standing();
        Wish wish = words.find(1)
                .map(name -> new ListenerWish(standing, name).processors(number))
                .orElseGet(() ->
                        new Wish(standing, Scope.NODE).want(SocketServerConfigs.NUM_NETWORK_THREADS_CONFIG, number));
        return changes.apply(session, wish, words.has("--dry-run"));
    }
}
