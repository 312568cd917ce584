package io.gregor.internal.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/**
 * Registers a service when its time has come, and takes it back. Registering starts the components that waited for it, so it
 * has a thread of its own: neither the caller waits for them, nor they for the caller. Shared: any thread.
 */
public final class Announcement<S> implements AutoCloseable {
    private final BundleContext context;
    private final Role role;
    private final Class<S> type;
    private final S service;

    @GuardedBy("this")
    private @Nullable ServiceRegistration<S> registration;

    @GuardedBy("this")
    private boolean isClosed;

    /** An announcement that nobody has heard yet, of a service with the property {@code role}. */
    public Announcement(BundleContext context, Role role, Class<S> type, S service) {
        this.context = context;
        this.role = role;
        this.type = type;
        this.service = service;
    }

    /** Registers the service soon; does not wait. Called once. */
    public void publish() {
        EngineThread.daemon("announce-" + type.getSimpleName(), this::register).start();
    }

    /** Takes the service back, or sees to it that it does not appear any more. Waits for those who used it. */
    @Override
    public void close() {
        ServiceRegistration<S> registered;
        synchronized (this) {
            isClosed = true;
            registered = registration;
            registration = null;
        }
        if (registered != null) {
            unregister(registered);
        }
    }

    private void register() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
        }
        ServiceRegistration<S> registered;
        try {
            registered = context.registerService(
                    type, service, FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, role.property())));
        } catch (IllegalStateException bundleStopped) {
            return;
        }
        boolean tooLate;
        synchronized (this) {
            tooLate = isClosed;
            if (!tooLate) {
                registration = registered;
            }
        }
        if (tooLate) {
            unregister(registered);
        }
    }

    private static void unregister(ServiceRegistration<?> registered) {
        try {
            registered.unregister();
        } catch (IllegalStateException goneWithItsBundle) {
            return;
        }
    }
}
