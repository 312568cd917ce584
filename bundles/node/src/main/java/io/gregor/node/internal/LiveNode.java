package io.gregor.node.internal;

import io.gregor.internal.change.Journal;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.plugin.PluginClasses;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.jspecify.annotations.Nullable;

/** The dynamic configuration, with all that it is made of. Shared: any thread. */
public final class LiveNode implements LiveConfig, Journal, AutoCloseable {
    private final ReconfigurationThread thread;
    private final NodeConfig start;
    private final CountedValues values;
    private final ChangeJournal journal;
    private final ChangeReports reports;
    private final ControllerStore ownStore;
    private final Reconfiguration reconfiguration;

    /**
     * On top of what the node started with.
     *
     * @param config what {@code settings} was read to
     * @param classes where the classes are that values name
     */
    public LiveNode(Settings settings, NodeConfig config, PluginClasses classes) {
        thread = new ReconfigurationThread(classes);
        start = config;
        values = new CountedValues(new ConfigLayers(settings, config));
        journal = ChangeJournal.open(config.home());
        ownStore = new ControllerStore(config, thread);
        reports = new ChangeReports(journal, thread, Time.SYSTEM::milliseconds);
        reconfiguration = new Reconfiguration(values, reports, ownStore, thread);
    }

    @Override
    public NodeConfig current() {
        return values.current();
    }

    @Override
    public Map<String, String> stored(Scope scope) {
        return values.stored().of(scope);
    }

    @Override
    public Map<String, String> notApplied() {
        return values.notApplied();
    }

    @Override
    public List<JournalEntry> journal() {
        return journal.entries();
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal, Store store) {
        return propose(proposal, store);
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal) {
        return propose(proposal, null);
    }

    private CompletableFuture<Outcome> propose(Proposal proposal, @Nullable Store store) {
        Map<String, @Nullable String> copy = Collections.unmodifiableMap(new TreeMap<>(proposal.values()));
        Proposal own = new Proposal(proposal.who(), proposal.door(), proposal.scope(), copy, proposal.isDryRun());
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        thread.soon(() -> reconfiguration.propose(new PendingChange(own, store, -1, outcome)));
        return outcome;
    }

    @Override
    public CompletableFuture<Outcome> undo(long number, String who, String door, boolean isDryRun) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        thread.soon(() -> reconfiguration.takeBack(number, who, door, isDryRun, outcome));
        return outcome;
    }

    @Override
    public void add(String who, String door, Map<String, String> before, Map<String, String> after, String result) {
        Map<String, String> was = Map.copyOf(before);
        Map<String, String> is = Map.copyOf(after);
        thread.soon(() -> reports.ofOthers(who, door, was, is, result));
    }

    @Override
    public boolean isLast(String subject, String value) {
        return journal().stream()
                .filter(entry -> entry.result().startsWith("applied"))
                .filter(entry ->
                        entry.before().containsKey(subject) || entry.after().containsKey(subject))
                .findFirst()
                .map(entry -> value.equals(entry.after().get(subject)))
                .orElse(false);
    }

    /** A part has come: it is told what differs from the start. */
    public void add(LiveSettings part) {
        thread.soon(() -> reconfiguration.add(part));
    }

    /** A part has gone. */
    public void remove(LiveSettings part) {
        thread.soon(() -> reconfiguration.remove(part));
    }

    /** The way to the controller is there. */
    public void channels(ControllerChannels channels) {
        ownStore.channels(channels);
    }

    /** The way to the controller is gone. */
    public void forget(ControllerChannels channels) {
        ownStore.forget(channels);
    }

    /** What is to be installed at a metadata feed. */
    public MetadataPublisher publisher() {
        return new StoredValuesPublisher(
                start.nodeId(), (now, isOfNode) -> thread.done(() -> reconfiguration.seen(now, isOfNode)));
    }

    @Override
    public void close() {
        thread.close(reconfiguration::close);
    }
}
