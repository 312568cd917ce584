package io.gregor.transport.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/**
 * The bundles whose channel layers and authenticators listeners or connections use: of each how many, from when it was made until
 * it is closed. Shared: any thread.
 */
final class SecurityBundles {
    private final Map<Long, Long> open = new ConcurrentHashMap<>();

    /** A part was made. */
    void opened(Object part) {
        open.merge(bundle(part), 1L, Long::sum);
    }

    /** A part is closed; nobody calls it any more. */
    void closed(Object part) {
        open.computeIfPresent(bundle(part), (bundle, count) -> count == 1 ? null : count - 1);
    }

    /** How many parts of a bundle are not closed. */
    long inUse(long bundleId) {
        return open.getOrDefault(bundleId, 0L);
    }

    private static long bundle(Object part) {
        Bundle bundle = FrameworkUtil.getBundle(part.getClass());
        return bundle == null ? -1 : bundle.getBundleId();
    }
}
