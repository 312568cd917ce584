package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.RequestHandler;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;

/**
 * Shared: any thread; see {@code enter}. One handler service: fetched when the first request needs it, and left only when
 * no thread is inside any more. {@code gate} counts the threads inside; closing it adds {@link #CLOSED}.
 */
public final class BoundHandler {
    /** Gets and ungets service objects: the bundle context, or a map in tests. */
    public interface Source {
        /** The service object; null if it cannot be made. */
        @Nullable
        RequestHandler open(ServiceReference<RequestHandler> reference);

        /** The service object is no longer used. */
        void close(ServiceReference<RequestHandler> reference);
    }

    private static final int CLOSED = Integer.MIN_VALUE;

    private final ServiceReference<RequestHandler> reference;
    private final Source source;
    private final HandlerBundle bundle;
    private final HandlerOrder order;
    private final boolean brief;
    private final Set<Short> keys = new HashSet<>();
    private final AtomicInteger gate = new AtomicInteger();
    private volatile @Nullable Thread closer;
    private volatile @Nullable RequestHandler handler;

    @GuardedBy("this")
    private boolean opened;

    BoundHandler(ServiceReference<RequestHandler> reference, Source source, HandlerBundle bundle, HandlerOrder order) {
        this.reference = reference;
        this.source = source;
        this.bundle = bundle;
        this.order = order;
        this.brief = Boolean.TRUE.equals(reference.getProperty("api.brief"));
        collect(reference.getProperty("api.key"));
    }

    ServiceReference<RequestHandler> reference() {
        return reference;
    }

    /** Whether it returns within microseconds, as its service property says. */
    boolean isBrief() {
        return brief;
    }

    /** The keys of its service properties, less those that the registry takes out before the handler is used. */
    Set<Short> keys() {
        return keys;
    }

    /** A version of its service properties, 0 if not given. */
    short version(String property) {
        return reference.getProperty(property) instanceof Number number ? number.shortValue() : 0;
    }

    /** The name of its component, or the service's id. */
    String name() {
        Object name = reference.getProperty("component.name");
        return name instanceof String component ? component : "service " + reference.getProperty("service.id");
    }

    /** The bundle it comes from. */
    HandlerBundle bundle() {
        return bundle;
    }

    /** Where it stands among others. */
    HandlerOrder order() {
        return order;
    }

    /** How many threads are inside. */
    int inside() {
        int now = gate.get();
        return now < 0 ? now - CLOSED : now;
    }

    /** Keeps the handler in place until {@link #exit}; false if it has left. */
    boolean enter() {
        if (gate.incrementAndGet() > 0) {
            return true;
        }
        exit();
        return false;
    }

    void exit() {
        if (gate.decrementAndGet() == CLOSED) {
            LockSupport.unpark(closer);
        }
    }

    /** The service object, between {@link #enter} and {@link #exit}; null if it cannot be made. */
    @Nullable
    RequestHandler handler() {
        RequestHandler found = handler;
        return found != null ? found : open();
    }

    private synchronized @Nullable RequestHandler open() {
        if (!opened) {
            handler = source.open(reference);
            opened = handler != null;
        }
        return handler;
    }

    /** Lets nobody in any more and waits for those inside, but not longer than this; false if some are still inside. */
    boolean close(Duration limit) {
        closer = Thread.currentThread();
        boolean empty = gate.addAndGet(CLOSED) == CLOSED;
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!empty && deadlineNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, deadlineNs - System.nanoTime());
            empty = gate.get() == CLOSED;
        }
        unget();
        bundle.remove(this);
        return empty;
    }

    private synchronized void unget() {
        if (opened) {
            opened = false;
            source.close(reference);
        }
    }

    private void collect(@Nullable Object property) {
        if (property instanceof Number number) {
            keys.add(number.shortValue());
        } else if (property instanceof int[] numbers) {
            for (int number : numbers) {
                keys.add((short) number);
            }
        } else if (property instanceof Object[] values) {
            for (Object value : values) {
                collect(value);
            }
        } else if (property instanceof Collection<?> values) {
            values.forEach(this::collect);
        }
    }
}
