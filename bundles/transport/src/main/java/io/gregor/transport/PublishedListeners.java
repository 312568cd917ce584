package io.gregor.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.Role;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.internal.transport.ListenerRegistrar;
import io.gregor.transport.internal.BoundPorts;
import io.gregor.transport.internal.ListenerAnnouncement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a role listens, as a service for the node, and told to the cluster by the role's registrar. Shared: any thread; one
 * at a time changes it.
 */
final class PublishedListeners implements ListenerAnnouncement {
    private static final Logger LOGGER = LoggerFactory.getLogger(PublishedListeners.class);

    /** The registrar gives up by itself before that. */
    private static final long REGISTERED_WITHIN_MS = 60_000;

    private final BundleContext context;
    private final Role role;
    private final AtomicReference<@Nullable ListenerRegistrar> registrar = new AtomicReference<>();
    private final Object lock = new Object();

    @GuardedBy("lock")
    private @Nullable ServiceRegistration<BoundListeners> shown;

    PublishedListeners(BundleContext context, Role role) {
        this.context = context;
        this.role = role;
    }

    /** The node is registered with the cluster, by this one. */
    void registrar(ListenerRegistrar next) {
        registrar.set(next);
    }

    /** The registrar leaves. */
    void withoutRegistrar(ListenerRegistrar former) {
        registrar.compareAndSet(former, null);
    }

    /** The new service is there before the old one goes. */
    @Override
    public void show(BoundPorts ports) {
        ServiceRegistration<BoundListeners> next = context.registerService(
                BoundListeners.class, ports, FrameworkUtil.asDictionary(Map.of(Role.PROPERTY, role.property())));
        ServiceRegistration<BoundListeners> former;
        synchronized (lock) {
            former = shown;
            shown = next;
        }
        if (former != null) {
            former.unregister();
        }
    }

    @Override
    public void register(List<Endpoint> advertised, List<Endpoint> former) {
        ListenerRegistrar now = registrar.get();
        if (now == null) {
            return; // the registration starts with what is shown
        }
        try {
            now.register(advertised).get(REGISTERED_WITHIN_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new KafkaException("the changed listeners could not be registered: " + reason(e), e);
        } catch (TimeoutException e) {
            registerAgain(now, former);
            throw new KafkaException(
                    "the changed listeners could not be registered in " + REGISTERED_WITHIN_MS
                            + " ms; try again when the controllers can be reached",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("the node stops", e);
        }
    }

    /** Nothing is shown any more. */
    void close() {
        ServiceRegistration<BoundListeners> former;
        synchronized (lock) {
            former = shown;
            shown = null;
        }
        if (former != null) {
            former.unregister();
        }
    }

    /** What was not answered may still come about. */
    private static void registerAgain(ListenerRegistrar now, List<Endpoint> former) {
        var unused = now.register(former).exceptionally(fault -> {
            LOGGER.warn("the former listeners could not be registered again: listeners={}", former, fault);
            return null;
        });
    }

    private static String reason(ExecutionException fault) {
        Throwable cause = fault.getCause();
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }
}
