package io.gregor.dispatch.internal;

import io.gregor.api.RequestHandler;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/**
 * The bundles whose handlers one role uses or has used; those that are uninstalled are forgotten. Shared: any thread; the
 * registry adds.
 */
final class HandlerBundles {
    private final BoundHandler.Source source;
    private final Map<Long, HandlerBundle> byId = new ConcurrentHashMap<>();

    HandlerBundles(BoundHandler.Source source) {
        this.source = source;
    }

    /**
     * Makes a handler of a service.
     *
     * @param others those that are bound: where one of them has the same symbolic name, it has its place in the order
     */
    BoundHandler bind(ServiceReference<RequestHandler> reference, Collection<BoundHandler> others) {
        Bundle of = reference.getBundle();
        HandlerBundle bundle = of == null
                ? new HandlerBundle(null)
                : byId.computeIfAbsent(of.getBundleId(), id -> new HandlerBundle(of));
        BoundHandler bound = new BoundHandler(reference, source, bundle, HandlerOrder.of(reference, bundle, others));
        bundle.add(bound);
        return bound;
    }

    /** The bundle of this number; null if it has no handlers here. */
    @Nullable
    HandlerBundle find(long bundleId) {
        return byId.get(bundleId);
    }

    /** All of them, without those that are gone. */
    List<HandlerBundle> all() {
        forgetGone();
        return List.copyOf(byId.values());
    }

    /** Forgets those that are uninstalled. */
    void forgetGone() {
        byId.values().removeIf(HandlerBundle::isGone);
    }
}
