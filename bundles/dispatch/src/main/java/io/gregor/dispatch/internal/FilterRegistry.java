package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.RequestFilter;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;

/**
 * The filter services of one role. Shared: any thread. A filter that leaves is out of the chains first, and then waited for
 * until no thread is inside it. One whose properties change is used no more; what it has in hand it still sees.
 */
public final class FilterRegistry {
    /** Below the time that SCR waits for a component that is being changed. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    private final BoundFilter.Source source;
    private final Standings standings;
    private final FilterWatch watch;
    private final FilterBeans beans;
    private final FilterAccounts accounts = new FilterAccounts();
    private volatile Runnable onChange = () -> {};

    @GuardedBy("this")
    private final List<BoundFilter> bound = new ArrayList<>();

    /** Those whose properties have changed since. */
    @GuardedBy("this")
    private final List<BoundFilter> former = new ArrayList<>();

    FilterRegistry(BoundFilter.Source source, Standings standings, FilterWatch watch, FilterBeans beans) {
        this.source = source;
        this.standings = standings;
        this.watch = watch;
        this.beans = beans;
    }

    /** That of a role, with a watch over the threads of its pool. */
    static FilterRegistry of(
            RoleContext role, BoundFilter.Source source, Standings standings, FilterWatch.Replacement threads) {
        String name = role.role().property();
        FilterWatch watch =
                new FilterWatch("gregor-filter-watch-" + name, threads, System::nanoTime, AllocatedBytes::ofThisThread);
        return new FilterRegistry(
                source,
                standings,
                watch,
                new FilterBeans(new Beans(role.config().values()), name));
    }

    /** What is run, on the changing thread, when other filters count than before. */
    void onChange(Runnable work) {
        onChange = work;
    }

    FilterWatch watch() {
        return watch;
    }

    /** The filters of a key; null if there are none. What stands aside is told to leave new requests alone. */
    @Nullable
    synchronized FilterChain chain(short key) {
        List<FilterChain.Stage> stages = new ArrayList<>();
        bound.sort(Comparator.comparing(BoundFilter::order));
        for (BoundFilter filter : bound) {
            Standing standing = standing(filter);
            filter.use(isUsed(standing));
            if (isUsed(standing) && filter.terms().keys().contains(key) && !filter.isIdle()) {
                stages.add(new FilterChain.Stage(
                        filter, standing.sharePercent(), isOnTrial(standing) ? 0 : triedShare(filter)));
            }
        }
        return stages.isEmpty() ? null : new FilterChain(this, key, stages);
    }

    private static boolean isUsed(Standing standing) {
        return standing.kind() == Standing.Kind.LIVE || isOnTrial(standing);
    }

    private static boolean isOnTrial(Standing standing) {
        return standing.kind() == Standing.Kind.TRIAL;
    }

    private Standing standing(BoundFilter filter) {
        return standings.of(filter.reference());
    }

    /** The share of connections that another bundle of the same symbolic name has on trial. */
    @GuardedBy("this")
    private int triedShare(BoundFilter filter) {
        String plugin = filter.order().plugin();
        return plugin.isEmpty()
                ? 0
                : bound.stream()
                        .filter(other -> other.order().plugin().equals(plugin))
                        .map(this::standing)
                        .filter(FilterRegistry::isOnTrial)
                        .mapToInt(Standing::sharePercent)
                        .max()
                        .orElse(0);
    }

    /** A filter service came. */
    public void add(ServiceReference<RequestFilter> reference) {
        synchronized (this) {
            bound.add(bind(reference));
            changed();
        }
        onChange.run();
    }

    @GuardedBy("this")
    private BoundFilter bind(ServiceReference<RequestFilter> reference) {
        BoundFilter filter = new BoundFilter(reference, source, FilterOrder.of(reference, bound), watch.clockNs());
        filter.onIdle(() -> onChange.run());
        return filter;
    }

    /** The properties of a filter service changed. */
    public void change(ServiceReference<RequestFilter> reference) {
        synchronized (this) {
            BoundFilter changed = bind(reference);
            takeOut(bound, reference).forEach(filter -> {
                filter.use(false);
                former.add(filter);
            });
            bound.add(changed);
            changed();
        }
        onChange.run();
    }

    /** A filter service leaves; returns when no thread is inside it. */
    public void remove(ServiceReference<RequestFilter> reference) {
        List<BoundFilter> leaving;
        synchronized (this) {
            leaving = takeOut(bound, reference);
            leaving.addAll(takeOut(former, reference));
            changed();
        }
        leaving.forEach(BoundFilter::leave);
        onChange.run();
        leaving.forEach(filter -> {
            watch.awaitOutside(filter, DRAIN_LIMIT);
            filter.close();
            accounts.left(filter);
        });
    }

    private static List<BoundFilter> takeOut(List<BoundFilter> from, ServiceReference<RequestFilter> reference) {
        List<BoundFilter> found = new ArrayList<>(from.stream()
                .filter(filter -> filter.reference().equals(reference))
                .toList());
        from.removeAll(found);
        return found;
    }

    @GuardedBy("this")
    private void changed() {
        watch.watch(bound.stream().mapToLong(BoundFilter::limitNs).min().orElse(FilterWatch.NO_LIMIT));
        beans.show(bound.stream().map(BoundFilter::name).distinct().toList(), this::row);
    }

    /** Lets a filter in again that was put out; false if there is none of this name that could come in. */
    boolean tryAgain(String name) {
        return bound().stream()
                .filter(filter -> filter.name().equals(name))
                .map(filter -> filter.guard().tryAgain())
                .reduce(false, Boolean::logicalOr);
    }

    /** Requests that the filters of a bundle have seen, and whose responses they are to see. */
    long inHand(long bundleId) {
        return bound().stream()
                .filter(filter -> FilterAccounts.isOf(filter, bundleId))
                .mapToLong(BoundFilter::inHand)
                .sum();
    }

    /** What the filters of each bundle did. */
    List<FilterAccount> accounts() {
        return accounts.of(bound());
    }

    /** The filters as they stand, in their order. */
    List<FilterRow> rows() {
        return bound().stream()
                .sorted(Comparator.comparing(BoundFilter::order))
                .map(filter -> FilterRows.row(filter, standing(filter)))
                .toList();
    }

    /** The newest filter of a name that is used, else the newest one; null if there is none. */
    @Nullable
    FilterRow row(String name) {
        return bound().stream()
                .filter(filter -> filter.name().equals(name))
                .max(Comparator.comparing(BoundFilter::isUsed)
                        .thenComparing(filter -> filter.order().serviceId()))
                .map(filter -> FilterRows.row(filter, standing(filter)))
                .orElse(null);
    }

    private synchronized List<BoundFilter> bound() {
        return List.copyOf(bound);
    }

    /** Nothing is watched or shown any more. */
    void close() {
        watch.watch(FilterWatch.NO_LIMIT);
        beans.close();
    }
}
