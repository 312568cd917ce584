package io.gregor.transport.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The settings of transport that can be changed, put together from parts: each is told its own keys, and they change all or
 * not at all. Immutable; called on the reconfiguration thread.
 *
 * <p>They are switched on in the order of the parts. Only that of the first may fail then; the others have refused in
 * {@code prepare} whatever they cannot do.
 */
final class RoleSettings implements LiveSettings {
    private final List<LiveSettings> parts;

    /** Puts them together; that which may still fail when it is switched on comes first. */
    RoleSettings(List<LiveSettings> parts) {
        this.parts = List.copyOf(parts);
    }

    @Override
    public boolean owns(String key) {
        return parts.stream().anyMatch(part -> part.owns(key));
    }

    @Override
    public boolean isReadAgain(String key) {
        return parts.stream().anyMatch(part -> part.owns(key) && part.isReadAgain(key));
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        List<PreparedChange> prepared = new ArrayList<>();
        try {
            for (LiveSettings part : parts) {
                Set<String> own = change.keys().stream().filter(part::owns).collect(Collectors.toUnmodifiableSet());
                if (!own.isEmpty()) {
                    prepared.add(
                            part.prepare(new ConfigChange(change.before(), change.after(), own, change.isReplay())));
                }
            }
        } catch (RuntimeException refused) {
            undo(prepared);
            throw refused;
        }
        return new Together(prepared);
    }

    private static void undo(List<PreparedChange> prepared) {
        for (int last = prepared.size() - 1; last >= 0; last--) {
            prepared.get(last).undo();
        }
    }

    /** The prepared changes of the parts. Immutable. */
    private record Together(List<PreparedChange> changes) implements PreparedChange {
        @Override
        public CompletableFuture<String> commit() {
            List<CompletableFuture<String>> following = new ArrayList<>();
            for (PreparedChange change : changes) {
                try {
                    following.add(change.commit());
                } catch (RuntimeException failed) {
                    RoleSettings.undo(changes.subList(following.size() + 1, changes.size()));
                    throw failed;
                }
            }
            return CompletableFuture.allOf(following.toArray(new CompletableFuture<?>[0]))
                    .thenApply(done -> following.stream()
                            .map(CompletableFuture::join)
                            .filter(figures -> !figures.isEmpty())
                            .collect(Collectors.joining(" ")));
        }

        @Override
        public void undo() {
            RoleSettings.undo(changes);
        }
    }
}
