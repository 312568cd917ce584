package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.Standing;
import java.util.List;
import java.util.Map;

/** Which bundles serve the requests of one role, and how they do. Shared: any thread. */
public final class RoleBundles implements ServingBundles {
    private final Standings standings;
    private final HandlerRegistry registry;

    RoleBundles(Standings standings, HandlerRegistry registry) {
        this.standings = standings;
        this.registry = registry;
    }

    @Override
    public void stand(Map<Long, Standing> all) {
        standings.replace(all);
        registry.refresh();
    }

    @Override
    public List<Account> accounts() {
        return List.of();
    }

    @Override
    public List<KeyAccount> accountsByKey() {
        return List.of();
    }

    @Override
    public long inHand(long bundleId) {
        return 0;
    }

    @Override
    public void hurry(long bundleId) {}
}
