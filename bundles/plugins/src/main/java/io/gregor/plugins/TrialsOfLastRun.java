package io.gregor.plugins;

import io.gregor.internal.change.Journal;
import io.gregor.internal.change.LiveConfig;
import io.gregor.plugins.internal.EndedTrials;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Writes into the journal, once at the start, that trials of the node's last run are over: a jar on trial is not in {@code
 * deploy/}. Immutable.
 */
@Component(
        immediate = true,
        service = {})
public final class TrialsOfLastRun {
    /** Before anything can be put on trial in this run. */
    @Activate
    public TrialsOfLastRun(@Reference LiveConfig config, @Reference Journal journal) {
        EndedTrials.in(config.journal()).forEach((subject, trial) -> {
            Map<String, String> after = trial.former().isEmpty() ? Map.of() : Map.of(subject, trial.former());
            journal.add("", "node", Map.of(subject, trial.standing()), after, "applied, trial ended: the node stopped");
        });
    }
}
