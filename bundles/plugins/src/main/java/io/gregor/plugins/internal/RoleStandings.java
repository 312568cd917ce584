package io.gregor.plugins.internal;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.BundleUse;
import io.gregor.internal.plugin.Plugins.RoleAccount;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.ServingBundles.KeyAccount;
import io.gregor.internal.plugin.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Shared: any thread; how bundles stand is said by the deployer thread only. The standing of all bundles in all roles. */
public final class RoleStandings {
    private final Map<Role, ServingBundles> roles = new ConcurrentHashMap<>();
    private final Set<DispatchView> views = ConcurrentHashMap.newKeySet();
    private final Set<BundleUse> uses = ConcurrentHashMap.newKeySet();
    private volatile Map<Long, Standing> standings = Map.of();

    /** Dispatch of a role came. */
    public void add(Role role, ServingBundles serving) {
        roles.put(role, serving);
        Map<Long, Standing> now = standings;
        if (!now.isEmpty()) {
            serving.stand(now);
        }
    }

    /** Dispatch of a role left. */
    public void remove(Role role, ServingBundles serving) {
        roles.remove(role, serving);
    }

    /** Something that may live on a bundle came. */
    public void add(BundleUse use) {
        uses.add(use);
        Map<Long, Standing> now = standings;
        if (!now.isEmpty()) {
            use.stand(now);
        }
    }

    /** Something that may live on a bundle left. */
    public void remove(BundleUse use) {
        uses.remove(use);
    }

    /** What dispatch of a role shows of itself came. */
    public void add(DispatchView view) {
        views.add(view);
    }

    /** What dispatch of a role shows of itself left. */
    public void remove(DispatchView view) {
        views.remove(view);
    }

    /** The filters of a bundle that were put out, each with its reason. */
    public List<String> filtersOut(String nameAndVersion) {
        return views.stream()
                .flatMap(view -> view.filterRows().stream())
                .filter(row -> row.bundle().equals(nameAndVersion) && row.state() == FilterRow.State.OUT)
                .map(row -> row.name() + " (" + row.reason() + ")")
                .distinct()
                .toList();
    }

    /** Whether dispatch of all these roles is there. */
    public boolean hasAll(Set<Role> wanted) {
        return roles.keySet().containsAll(wanted);
    }

    /** Says how some bundles stand from now on, in one go; all others stand as before. Deployer thread. */
    public void stand(Map<Long, Standing> changes) {
        Map<Long, Standing> next = new HashMap<>(standings);
        changes.forEach((bundle, standing) -> {
            if (standing.equals(Standing.LIVE)) {
                next.remove(bundle);
            } else {
                next.put(bundle, standing);
            }
        });
        standings = Map.copyOf(next);
        roles.values().forEach(serving -> serving.stand(standings));
        uses.forEach(use -> use.stand(standings));
    }

    /** How a bundle stands. */
    public Standing of(long bundleId) {
        return standings.getOrDefault(bundleId, Standing.LIVE);
    }

    /** Requests that a bundle has in hand, in all roles, and what else lives on it. */
    public long inHand(long bundleId) {
        long requests = roles.values().stream()
                .mapToLong(serving -> serving.inHand(bundleId))
                .sum();
        return requests + uses.stream().mapToLong(use -> use.inUse(bundleId)).sum();
    }

    /** Asks a bundle to answer soon. */
    public void hurry(long bundleId) {
        roles.values().forEach(serving -> serving.hurry(bundleId));
    }

    /** How all bundles with handlers do, key by key, by role. */
    public Map<String, List<KeyAccount>> accountsByKey() {
        Map<String, List<KeyAccount>> byRole = new HashMap<>();
        roles.forEach((role, serving) -> byRole.put(role.property(), serving.accountsByKey()));
        return byRole;
    }

    /** How a bundle does, by role. */
    public List<RoleAccount> accounts(long bundleId) {
        List<RoleAccount> found = new ArrayList<>();
        for (Role role : Role.values()) {
            ServingBundles serving = roles.get(role);
            if (serving != null) {
                serving.accounts().stream()
                        .filter(account -> account.bundleId() == bundleId)
                        .forEach(account -> found.add(new RoleAccount(role.property(), account)));
            }
        }
        return found;
    }
}
