package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.RoleAccount;
import io.gregor.internal.plugin.ServingBundles.KeyAccount;
import io.gregor.plugins.internal.TrialSample.FilterTally;
import io.gregor.plugins.internal.TrialSample.ServedKey;
import io.gregor.plugins.internal.TrialSample.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the counters of a plugin on trial, and of those in front of which it stands. Owned by the deployer thread. */
final class TrialCounters {
    private final RoleStandings standings;

    TrialCounters(RoleStandings standings) {
        this.standings = standings;
    }

    /**
     * Reads them.
     *
     * @param plugin the bundle on trial
     * @param others bundles on trial beside it, which are nobody's former
     * @param former the bundle of the same name that serves; null if there is none
     */
    TrialSample read(long nowMs, PluginBundle plugin, Set<Long> others, @Nullable PluginBundle former) {
        long trial = plugin.bundleId();
        Map<ServedKey, Tally> own = new HashMap<>();
        Map<ServedKey, Tally> rest = new HashMap<>();
        standings.accountsByKey().forEach((role, accounts) -> {
            for (KeyAccount account : accounts) {
                Tally tally = new Tally(
                        account.requests(), account.failures(), account.errors(), account.busyNs(), account.answerNs());
                ServedKey key = new ServedKey(role, account.apiKey());
                if (account.bundleId() == trial) {
                    own.merge(key, tally, Tally::plus);
                } else if (!others.contains(account.bundleId())) {
                    rest.merge(key, tally, Tally::plus);
                }
            }
        });
        FilterTally formerFilters = former == null ? FilterTally.NONE : filters(former.bundleId());
        return new TrialSample(nowMs, own, rest, filters(trial), formerFilters, out(plugin, former));
    }

    /** Dispatch tells filters apart by name and version of their bundle: of two with the same it cannot be told whose is out. */
    private List<String> out(PluginBundle plugin, @Nullable PluginBundle former) {
        boolean isTold = former == null || !former.toString().equals(plugin.toString());
        return isTold ? standings.filtersOut(plugin.toString()) : List.of();
    }

    private FilterTally filters(long bundleId) {
        return standings.accounts(bundleId).stream()
                .map(RoleAccount::account)
                .map(account -> new FilterTally(account.filterCalls(), account.filterFaults(), account.filterNs()))
                .reduce(FilterTally.NONE, FilterTally::plus);
    }
}
