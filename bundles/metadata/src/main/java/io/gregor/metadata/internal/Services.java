package io.gregor.metadata.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/** Services that appear one after the other and leave in the opposite order. Shared: guarded by itself. */
public final class Services implements AutoCloseable {
    private final BundleContext context;
    private final Deque<ServiceRegistration<?>> registrations = new ArrayDeque<>();

    public Services(BundleContext context) {
        this.context = context;
    }

    /** Registers a service. Who waits for it is activated on the calling thread. */
    public <S> void add(Class<S> type, S service, Map<String, ?> properties) {
        ServiceRegistration<?> registration =
                context.registerService(type, service, FrameworkUtil.asDictionary(properties));
        synchronized (registrations) {
            registrations.push(registration);
        }
    }

    /** Takes all services back. Who needs them is deactivated on the calling thread. */
    @Override
    public void close() {
        for (ServiceRegistration<?> next = pop(); next != null; next = pop()) {
            next.unregister();
        }
    }

    private @Nullable ServiceRegistration<?> pop() {
        synchronized (registrations) {
            return registrations.poll();
        }
    }
}
