package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;

/**
 * What the filters of bundles did, those included that have left while their bundle stays. Shared: any thread. Bundles that
 * are uninstalled are forgotten.
 */
final class FilterAccounts {
    @GuardedBy("this")
    private final Map<Bundle, FilterFigures> left = new LinkedHashMap<>();

    /** A filter has left. */
    synchronized void left(BoundFilter filter) {
        forgetGone();
        Bundle bundle = filter.bundle();
        if (bundle != null) {
            left.computeIfAbsent(bundle, one -> new FilterFigures()).addAll(filter.figures());
        }
    }

    /** The sums, with those of the filters that are there. */
    synchronized List<FilterAccount> of(List<BoundFilter> bound) {
        forgetGone();
        Map<Bundle, FilterFigures> sums = new LinkedHashMap<>();
        left.forEach((bundle, figures) -> sum(sums, bundle, figures));
        for (BoundFilter filter : bound) {
            Bundle bundle = filter.bundle();
            if (bundle != null) {
                sum(sums, bundle, filter.figures());
            }
        }
        List<FilterAccount> accounts = new ArrayList<>();
        sums.forEach((bundle, sum) ->
                accounts.add(new FilterAccount(bundle, sum.calls(), sum.faults(), sum.ns(), sum.allocatedBytes())));
        return accounts;
    }

    private static void sum(Map<Bundle, FilterFigures> sums, Bundle bundle, FilterFigures figures) {
        sums.computeIfAbsent(bundle, one -> new FilterFigures()).addAll(figures);
    }

    @GuardedBy("this")
    private void forgetGone() {
        left.keySet().removeIf(bundle -> bundle.getState() == Bundle.UNINSTALLED);
    }

    /** Whether a filter comes from the bundle of this number. */
    static boolean isOf(BoundFilter filter, long bundleId) {
        Bundle bundle = filter.bundle();
        return bundle != null && bundle.getBundleId() == bundleId;
    }
}
