package io.gregor.storage.internal;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.storage.internals.log.LogManager;

/** The directories that keep their logs and get no new ones. Shared: any thread. */
final class CordonedDirectories {
    private final LogManager manager;
    private final List<Consumer<Set<Uuid>>> listeners = new CopyOnWriteArrayList<>();

    /** The directories with these absolute paths. */
    CordonedDirectories(LogManager manager, Collection<String> paths) {
        this.manager = manager;
        manager.updateCordonedLogDirs(Set.copyOf(paths));
    }

    /** Cordons these directories, and no others. */
    void change(Collection<String> paths) {
        if (!manager.cordonedLogDirs().equals(Set.copyOf(paths))) {
            manager.updateCordonedLogDirs(Set.copyOf(paths));
            Set<Uuid> ids = ids();
            listeners.forEach(listener -> listener.accept(ids));
        }
    }

    /** Calls with the ids of the cordoned directories that are online: now if there are any, and at each change. */
    Runnable addListener(Consumer<Set<Uuid>> listener) {
        listeners.add(listener);
        Set<Uuid> ids = ids();
        if (!ids.isEmpty()) {
            listener.accept(ids);
        }
        return () -> listeners.remove(listener);
    }

    private Set<Uuid> ids() {
        Set<Uuid> ids = new HashSet<>();
        manager.cordonedLogDirs().forEach(path -> manager.directoryId(path).ifPresent(ids::add));
        return ids;
    }
}
