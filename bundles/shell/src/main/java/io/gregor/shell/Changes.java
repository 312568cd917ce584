package io.gregor.shell;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.transport.TransportView;
import io.gregor.shell.internal.Address;
import io.gregor.shell.internal.Caller;
import io.gregor.shell.internal.Following;
import io.gregor.shell.internal.JournalText;
import io.gregor.shell.internal.Standing;
import io.gregor.shell.internal.Wish;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Hands the wishes of commands to {@code LiveConfig}, waits until they count and what follows them is over, and says what
 * became of them. Shared: any thread.
 */
@Component(service = Changes.class)
public final class Changes {
    private static final Duration PROGRESS = Duration.ofMillis(500);

    private final NodeConfig fixed;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable LiveConfig live;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<TransportView> transports = List.of();

    /** Made by the service registry, with the values of the start. */
    @Activate
    public Changes(@Reference NodeConfig fixed) {
        this.fixed = fixed;
    }

    /**
     * The one way to change settings.
     *
     * @throws IllegalArgumentException if it is not there yet
     */
    LiveConfig live() {
        LiveConfig present = live;
        if (present == null) {
            throw new IllegalArgumentException("settings cannot be changed or shown yet: the node has not read its own"
                    + " from the metadata log, node:show tells when its roles are ready");
        }
        return present;
    }

    /** The settings as they stand. */
    Standing standing() {
        return Standing.of(live(), fixed);
    }

    /**
     * Makes a wish come true, and shows meanwhile how many connections listeners that drain still have.
     *
     * @return what changed, and the figures of what followed
     * @throws IllegalArgumentException if it is refused, with the reason
     */
    String apply(CommandSession session, Wish wish, boolean isDryRun) {
        if (wish.isFulfilled()) {
            return "nothing to change, it is so already";
        }
        String preview = wish.preview();
        CompletableFuture<Outcome> change = live().change(wish.proposal(Caller.of(session), isDryRun));
        return following(session).until(change, isDryRun, number -> preview);
    }

    /** Takes a change back; -1 is the last one. */
    String undo(CommandSession session, long number, boolean isDryRun) {
        LiveConfig config = live();
        Caller caller = Caller.of(session);
        String reversed = isDryRun ? new JournalText(journal()).reversed(number) : "";
        CompletableFuture<Outcome> change = config.undo(number, caller.user(), "shell", isDryRun);
        return following(session).until(change, isDryRun, made -> isDryRun ? reversed : changed(made));
    }

    /** The changes so far, last first. */
    List<JournalEntry> journal() {
        return live().journal();
    }

    private String changed(long number) {
        return new JournalText(journal()).values(number);
    }

    private Following following(CommandSession session) {
        return new Following(session.getConsole(), this::draining, PROGRESS);
    }

    private String draining() {
        return transports.stream()
                .flatMap(transport -> transport.listeners().stream())
                .filter(row -> row.state().equals("draining"))
                .map(row -> "draining: listener=" + row.name() + " address=" + new Address(row.host(), row.port())
                        + " connections=" + row.connections())
                .collect(Collectors.joining("\n"));
    }
}
