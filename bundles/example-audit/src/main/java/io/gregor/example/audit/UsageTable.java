package io.gregor.example.audit;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What everybody did since it was taken last. It has twice as many callers as it keeps at most (and for a moment one more for
 * each thread that adds): when it is full, those that moved least are added to the others. Shared: any thread; no count is lost
 * between {@link #add} and {@link #take}.
 */
final class UsageTable {
    private final int kept;
    private final ConcurrentHashMap<Caller, Usage> usages = new ConcurrentHashMap<>();
    private final AtomicBoolean isFolding = new AtomicBoolean();

    /**
     * Nobody did anything yet.
     *
     * @param kept how many callers have a place of their own when it was full
     */
    UsageTable(int kept) {
        this.kept = kept;
    }

    void add(Caller caller, Usage usage) {
        usages.merge(caller, usage, Usage::plus);
        if (usages.mappingCount() > 2L * kept && isFolding.compareAndSet(false, true)) {
            try {
                fold();
            } finally {
                isFolding.set(false);
            }
        }
    }

    private void fold() {
        List<Map.Entry<Caller, Usage>> byBytes = usages.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(Caller.OTHERS))
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().bytes()))
                .toList();
        for (Map.Entry<Caller, Usage> least : byBytes.subList(Math.min(kept, byBytes.size()), byBytes.size())) {
            Usage usage = usages.remove(least.getKey());
            if (usage != null) {
                usages.merge(Caller.OTHERS, usage, Usage::plus);
            }
        }
    }

    /** Empties it; who is added meanwhile may be met twice. */
    SortedMap<Caller, Usage> take() {
        SortedMap<Caller, Usage> taken = new TreeMap<>();
        for (Caller caller : usages.keySet()) {
            Usage usage = usages.remove(caller);
            if (usage != null) {
                taken.merge(caller, usage, Usage::plus);
            }
        }
        return taken;
    }
}
