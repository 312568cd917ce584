package io.gregor.groups.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.EngineThread;
import java.util.Dictionary;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * Registers a service when its time has come, and takes it back. Registering starts the components that waited for it, so it
 * has a thread of its own: neither the caller waits for them, nor they for the caller. Shared: any thread.
 */
public final class Announcement<S> {
    private final BundleContext context;
    private final Class<S> type;
    private final S service;
    private final Dictionary<String, ?> properties;

    @GuardedBy("this")
    private @Nullable ServiceRegistration<S> registration;

    @GuardedBy("this")
    private boolean isWithdrawn;

    /** An announcement that nobody has heard yet. */
    public Announcement(BundleContext context, Class<S> type, S service, Dictionary<String, ?> properties) {
        this.context = context;
        this.type = type;
        this.service = service;
        this.properties = properties;
    }

    /** Registers the service soon; does not wait. */
    public void publish() {
        EngineThread.daemon("announce-" + type.getSimpleName(), this::register).start();
    }

    /** Takes the service back, or sees to it that it does not appear any more. */
    public void withdraw() {
        ServiceRegistration<S> registered;
        synchronized (this) {
            isWithdrawn = true;
            registered = registration;
            registration = null;
        }
        if (registered != null) {
            registered.unregister();
        }
    }

    private void register() {
        synchronized (this) {
            if (isWithdrawn) {
                return;
            }
        }
        ServiceRegistration<S> registered;
        try {
            registered = context.registerService(type, service, properties);
        } catch (IllegalStateException bundleStopped) {
            return;
        }
        boolean tooLate;
        synchronized (this) {
            tooLate = isWithdrawn;
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
