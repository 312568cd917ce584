package io.gregor.dispatch.internal;

import io.gregor.api.RequestHandler;
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
    final HandlerRegistry registry;
    private final AtomicLong ids = new AtomicLong();

    HandlerServices() {
        this(ListenerType.BROKER);
    }

    HandlerServices(ListenerType listeners) {
        registry = new HandlerRegistry(listeners, false, this, new FilterRegistry());
    }

    FakeReference add(RequestHandler handler, int ranking, int... keys) {
        FakeReference reference = FakeReference.serving(ids.incrementAndGet(), ranking, keys);
        return add(handler, reference);
    }

    FakeReference add(RequestHandler handler, FakeReference reference) {
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
