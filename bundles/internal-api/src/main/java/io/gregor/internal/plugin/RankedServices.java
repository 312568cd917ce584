package io.gregor.internal.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/**
 * The services of one interface that are there, the one that counts first: of the highest ranking the first that came, or
 * the one of the newest bundle of the same symbolic name, so that a plugin's replacement counts as soon as it is there.
 * Shared: any thread; see {@code first}.
 *
 * @param <T> the interface
 */
public final class RankedServices<T> {
    @GuardedBy("this")
    private final List<Entry<T>> entries = new ArrayList<>();

    private volatile List<Entry<T>> rankedEntries = List.of();
    private volatile List<T> ranked = List.of();

    /** A service came. */
    public synchronized void add(ServiceReference<T> reference, T service) {
        entries.add(new Entry<>(reference, service));
        rank();
    }

    /** The properties of a service changed. */
    public synchronized void change(ServiceReference<T> reference) {
        rank();
    }

    /** A service left. */
    public synchronized void remove(ServiceReference<T> reference) {
        entries.removeIf(entry -> entry.reference().equals(reference));
        rank();
    }

    /** The one that counts; null without any. Costs one volatile read. */
    public @Nullable T first() {
        List<T> now = ranked;
        return now.isEmpty() ? null : now.get(0);
    }

    /** The one that counts among those of bundles that are used; without any, the one that counts among all. Null without any. */
    public @Nullable T first(LongPredicate isUsed) {
        for (Entry<T> entry : rankedEntries) {
            Bundle bundle = entry.reference().getBundle();
            if (bundle != null && isUsed.test(bundle.getBundleId())) {
                return entry.service();
            }
        }
        return first();
    }

    /** All of them, in the order in which they count. Unchanging. */
    public List<T> all() {
        return ranked;
    }

    @GuardedBy("this")
    private void rank() {
        List<Entry<T>> rest = new ArrayList<>(entries);
        rest.sort((one, other) -> other.reference().compareTo(one.reference()));
        List<Entry<T>> result = new ArrayList<>();
        while (!rest.isEmpty()) {
            Entry<T> next = newestOf(rest.get(0), rest);
            rest.remove(next);
            result.add(next);
        }
        rankedEntries = List.copyOf(result);
        ranked = result.stream().map(Entry::service).toList();
    }

    private static <T> Entry<T> newestOf(Entry<T> best, List<Entry<T>> entries) {
        Entry<T> newest = best;
        for (Entry<T> entry : entries) {
            if (entry.replaces(newest)) {
                newest = entry;
            }
        }
        return newest;
    }

    /** A service. Immutable. */
    private record Entry<T>(ServiceReference<T> reference, T service) {
        boolean replaces(Entry<T> other) {
            Bundle mine = reference.getBundle();
            Bundle others = other.reference.getBundle();
            return mine != null
                    && others != null
                    && mine.getBundleId() > others.getBundleId()
                    && ranking() == other.ranking()
                    && mine.getSymbolicName() != null
                    && mine.getSymbolicName().equals(others.getSymbolicName());
        }

        private int ranking() {
            return reference.getProperty("service.ranking") instanceof Integer ranking ? ranking : 0;
        }
    }
}
