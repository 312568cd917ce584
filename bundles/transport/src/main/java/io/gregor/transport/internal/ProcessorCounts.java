package io.gregor.transport.internal;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.change.ThreadCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.network.SocketServerConfigs;

/**
 * {@code num.network.threads}, live: of all listeners, and of one with its prefix. Immutable; called on the reconfiguration
 * thread.
 */
final class ProcessorCounts implements LiveSettings {
    private static final String KEY = SocketServerConfigs.NUM_NETWORK_THREADS_CONFIG;

    private final RoleDoors doors;

    /** The processors of the listeners behind these doors. */
    ProcessorCounts(RoleDoors doors) {
        this.doors = doors;
    }

    @Override
    public boolean owns(String key) {
        return key.equals(KEY)
                || ListenerKey.of(key)
                        .filter(own -> own.setting().equals(KEY) && doors.hasOwn(own))
                        .isPresent();
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        List<Resize> resizes = new ArrayList<>();
        try {
            for (Listener listener : staying(change)) {
                Listener.Setup now = listener.setup();
                ListenerSettings next =
                        ListenerSettings.of(now.configured(), change.after().values());
                if (next.networkThreads() != now.settings().networkThreads()) {
                    resizes.add(prepare(listener, next.networkThreads(), change.isReplay()));
                }
            }
        } catch (RuntimeException refused) {
            resizes.forEach(Resize::undo);
            throw refused;
        }
        return new Resizes(resizes);
    }

    /** Those that are there after the change, too. */
    private List<Listener> staying(ConfigChange change) {
        Set<String> names = change.after().listeners(doors.role()).stream()
                .map(Endpoint::listener)
                .collect(Collectors.toSet());
        return doors.live().stream()
                .filter(listener -> names.contains(listener.name()))
                .toList();
    }

    private static Resize prepare(Listener listener, int wanted, boolean isReplay) {
        int now = listener.setup().settings().networkThreads();
        if (!isReplay) {
            ThreadCounts.check(KEY, now, wanted);
        }
        try {
            List<Processor> made = listener.isOpen() ? listener.makeProcessors(Math.max(0, wanted - now)) : List.of();
            return new Resize(listener, wanted, made);
        } catch (IOException e) {
            throw new ConfigException(KEY, wanted, "no selector for another processor: " + e.getMessage());
        }
    }

    /** A listener that gets another number of processors. Immutable. */
    private record Resize(Listener listener, int wanted, List<Processor> made) {
        CompletableFuture<Integer> commit() {
            return listener.resize(wanted, made);
        }

        void undo() {
            made.forEach(Processor::discard);
        }
    }

    /** All of them. Immutable. */
    private record Resizes(List<Resize> resizes) implements PreparedChange {
        @Override
        public CompletableFuture<String> commit() {
            CompletableFuture<Integer> moved = CompletableFuture.completedFuture(0);
            for (Resize resize : resizes) {
                moved = moved.thenCombine(resize.commit(), Integer::sum);
            }
            return moved.thenApply(count -> resizes.isEmpty() ? "" : "moved=" + count);
        }

        @Override
        public void undo() {
            resizes.forEach(Resize::undo);
        }
    }
}
