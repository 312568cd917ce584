package io.gregor.broker.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/**
 * Services that appear one after the other and leave in the opposite order; one that comes after {@link #close} leaves at
 * once. Shared: any thread; guarded by itself, never while a service is registered or taken back.
 */
public final class OfferedServices implements AutoCloseable {
    private final BundleContext context;
    private final Map<String, ?> properties;
    private final Deque<ServiceRegistration<?>> registrations = new ArrayDeque<>();
    private boolean isClosed;

    /** Services of a bundle, all with these properties. */
    public OfferedServices(BundleContext context, Map<String, ?> properties) {
        this.context = context;
        this.properties = Map.copyOf(properties);
    }

    /** Registers a service. Who waits for it is activated on the calling thread. */
    public <S> void add(Class<S> type, S service) {
        ServiceRegistration<?> registration =
                context.registerService(type, service, FrameworkUtil.asDictionary(properties));
        boolean isLate;
        synchronized (registrations) {
            isLate = isClosed;
            if (!isLate) {
                registrations.push(registration);
            }
        }
        if (isLate) {
            registration.unregister();
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
            isClosed = true;
            return registrations.poll();
        }
    }
}
