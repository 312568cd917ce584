package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.Standing;
import io.gregor.internal.transport.ConnectionControl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which bundles serve the requests of one role, and how they do. Shared: any thread. */
public final class RoleBundles implements ServingBundles {
    private final Standings standings;
    private final HandlerRegistry registry;
    private final HandlerBundles bundles;
    private final FilterRegistry filters;
    private final StatsSlots slots;
    private volatile @Nullable ConnectionControl connections;

    /**
     * @param slots where requests are counted
     */
    RoleBundles(
            Standings standings,
            HandlerRegistry registry,
            HandlerBundles bundles,
            FilterRegistry filters,
            StatsSlots slots) {
        this.standings = standings;
        this.registry = registry;
        this.bundles = bundles;
        this.filters = filters;
        this.slots = slots;
    }

    /** Through whom requests in hand are found; null if there are no connections. */
    public void connections(@Nullable ConnectionControl control) {
        connections = control;
    }

    @Override
    public void stand(Map<Long, Standing> all) {
        standings.replace(all);
        registry.refresh();
    }

    @Override
    public List<Account> accounts() {
        Map<Long, FilterAccount> byFilters = filters.accounts().stream()
                .collect(Collectors.toMap(account -> account.bundle().getBundleId(), Function.identity()));
        List<Account> all = new ArrayList<>();
        for (HandlerBundle bundle : bundles.all()) {
            all.add(account(bundle, byFilters.remove(bundle.id())));
        }
        byFilters.values().forEach(filtering -> all.add(account(new HandlerBundle(filtering.bundle()), filtering)));
        return all;
    }

    private static Account account(HandlerBundle bundle, @Nullable FilterAccount filtering) {
        BundleCounts counts = bundle.counts();
        return new Account(
                bundle.id(),
                counts.sum(BundleCounts.REQUESTS),
                counts.sum(BundleCounts.FAILURES),
                counts.sum(BundleCounts.ERRORS),
                counts.sum(BundleCounts.BUSY_NS),
                counts.sum(BundleCounts.ANSWER_NS),
                filtering == null ? 0 : filtering.calls(),
                filtering == null ? 0 : filtering.faults(),
                filtering == null ? 0 : filtering.ns(),
                allocatedBytes(bundle, filtering));
    }

    private static long allocatedBytes(HandlerBundle bundle, @Nullable FilterAccount filtering) {
        long byHandlers = bundle.allocatedBytes();
        return byHandlers < 0 || filtering == null ? byHandlers : byHandlers + filtering.allocatedBytes();
    }

    /** The symbolic names of plugins whose handlers or filters are there. */
    Set<String> pluginNames() {
        Set<String> names = new HashSet<>();
        for (HandlerBundle bundle : bundles.all()) {
            if (bundle.isPlugin() && bundle.hasHandlers()) {
                names.add(bundle.symbolicName());
            }
        }
        for (FilterAccount account : filters.accounts()) {
            HandlerBundle bundle = new HandlerBundle(account.bundle());
            if (bundle.isPlugin() && bundle.isActive()) {
                names.add(bundle.symbolicName());
            }
        }
        return names;
    }

    /** The account of the newest bundle of this name whose services are used; null if there is none. */
    @Nullable
    Account accountOf(String symbolicName) {
        Stream<HandlerBundle> filtering =
                filters.accounts().stream().map(account -> new HandlerBundle(account.bundle()));
        OptionalLong newest = Stream.concat(bundles.all().stream(), filtering)
                .filter(bundle -> bundle.symbolicName().equals(symbolicName))
                .mapToLong(HandlerBundle::id)
                .filter(id -> standings.of(id).isUsed())
                .max();
        return newest.isEmpty()
                ? null
                : accounts().stream()
                        .filter(account -> account.bundleId() == newest.getAsLong())
                        .findAny()
                        .orElse(null);
    }

    @Override
    public List<KeyAccount> accountsByKey() {
        List<KeyAccount> all = new ArrayList<>();
        for (HandlerBundle bundle : bundles.all()) {
            BundleCounts counts = bundle.counts();
            IntStream.range(0, counts.slots())
                    .mapToObj(slots::key)
                    .distinct()
                    .map(key -> account(bundle.id(), key, counts))
                    .filter(account -> account.requests() > 0)
                    .forEach(all::add);
        }
        return all;
    }

    private KeyAccount account(long bundleId, short key, BundleCounts counts) {
        IntPredicate ofKey = slot -> slots.key(slot) == key;
        return new KeyAccount(
                bundleId,
                key,
                counts.sum(BundleCounts.REQUESTS, ofKey),
                counts.sum(BundleCounts.FAILURES, ofKey),
                counts.sum(BundleCounts.ERRORS, ofKey),
                counts.sum(BundleCounts.BUSY_NS, ofKey),
                counts.sum(BundleCounts.ANSWER_NS, ofKey));
    }

    @Override
    public long inHand(long bundleId) {
        HandlerBundle bundle = bundles.find(bundleId);
        return filters.inHand(bundleId) + (bundle == null ? 0 : bundle.inHand());
    }

    /** Requests are kept by their connections only: they are looked for when somebody asks. */
    @Override
    public void hurry(long bundleId) {
        HandlerBundle bundle = bundles.find(bundleId);
        ConnectionControl control = connections;
        if (bundle != null && control != null) {
            control.forEachInHand(request -> {
                if (request instanceof TimedRequest timed && timed.isInHandOf(bundle)) {
                    request.hurry();
                }
            });
        }
    }
}
