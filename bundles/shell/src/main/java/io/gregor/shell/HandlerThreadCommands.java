package io.gregor.shell;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Wish;
import io.gregor.shell.internal.Words;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.server.config.ServerConfigs;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Changes the number of handler threads. Immutable. */
@Component(service = HandlerThreadCommands.class, immediate = true)
@ShellScope(scope = "handlers", function = "threads", example = "handlers:threads 16")
public final class HandlerThreadCommands {
    private static final Syntax THREADS = Syntax.of(HandlerThreadCommands.class, "handlers", "threads");

    private final Changes changes;

    /** Made by the service registry. */
    @Activate
    public HandlerThreadCommands(@Reference Changes changes) {
        this.changes = changes;
    }

    /** Changes it. */
    @Descriptor("the number of handler threads of each role; requests in hand are finished")
    @Arguments({
        "N: no less than half of now (rounded down), no more than double",
        "[--dry-run]: tries it, changes nothing"
    })
    public String threads(CommandSession session, String... typed) {
        Words words = THREADS.read(typed);
        Wish wish = new Wish(changes.standing(), Scope.NODE)
                .want(ServerConfigs.NUM_IO_THREADS_CONFIG, String.valueOf(words.positive(0)));
        return changes.apply(session, wish, words.has("--dry-run"));
    }
}
