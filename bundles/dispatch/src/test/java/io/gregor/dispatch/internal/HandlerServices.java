package io.gregor.dispatch.internal;

import io.gregor.api.RequestHandler;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.osgi.framework.ServiceReference;

/** A registry of handlers over a map instead of a framework. */
final class HandlerServices implements BoundHandler.Source {
    final Map<ServiceReference<RequestHandler>, RequestHandler> services = new ConcurrentHashMap<>();
    final CopyOnWriteArrayList<ServiceReference<RequestHandler>> closed = new CopyOnWriteArrayList<>();
    final Standings standings = new Standings();
    final AtomicLong nowNs = new AtomicLong();
    volatile boolean isNodeStopping;
    final HandlerGaps gaps = new HandlerGaps(standings, nowNs::get, () -> isNodeStopping, 0);
    final HandlerBundles bundles = new HandlerBundles(this);
    final FilterServices filters = new FilterServices(standings);
    final HandlerRegistry registry;
    private final AtomicLong ids = new AtomicLong();

    HandlerServices() {
        this(ListenerType.BROKER);
    }

    HandlerServices(ListenerType listeners) {
        registry = new HandlerRegistry(
                bundles, new TableMaker(new ServedVersions(listeners, false), standings, filters.registry, gaps));
        filters.registry.onChange(registry::refresh);
    }

    static FakeReference<RequestHandler> serving(long id, int ranking, int... keys) {
        return new FakeReference<>(id, ranking, Map.of("api.key", keys, "component.name", "handler-" + id));
    }

    FakeReference<RequestHandler> add(RequestHandler handler, int ranking, int... keys) {
        FakeReference<RequestHandler> reference = serving(ids.incrementAndGet(), ranking, keys);
        return add(handler, reference);
    }

    FakeReference<RequestHandler> add(FakeBundle bundle, RequestHandler handler, int ranking, int... keys) {
        long id = ids.incrementAndGet();
        Map<String, Object> properties = Map.of("api.key", keys, "component.name", "handler-" + id);
        return add(handler, new FakeReference<>(id, ranking, properties, bundle.bundle()));
    }

    FakeReference<RequestHandler> add(RequestHandler handler, FakeReference<RequestHandler> reference) {
        services.put(reference, handler);
        registry.add(reference);
        return reference;
    }

    @Override
    public RequestHandler open(ServiceReference<RequestHandler> reference) {
        return services.get(reference);
    }

    @Override
    public void close(ServiceReference<RequestHandler> reference) {
        closed.add(reference);
    }
}
