package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code table}. The handler services of one role. Each change makes a new {@link ApiTable}; a
 * handler that leaves is out of the table first, and then waited for until no thread is inside it.
 */
public final class HandlerRegistry {
    private static final Logger LOGGER = LoggerFactory.getLogger(HandlerRegistry.class);

    /** Below the time that SCR waits for a component that is being changed. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    private final HandlerBundles bundles;
    private final TableMaker tables;

    @GuardedBy("this")
    private final List<BoundHandler> bound = new ArrayList<>();

    private volatile ApiTable table = new ApiTable(List.of());

    HandlerRegistry(HandlerBundles bundles, TableMaker tables) {
        this.bundles = bundles;
        this.tables = tables;
    }

    /** Makes the table anew, as standings or filters have changed. */
    synchronized void refresh() {
        rebuild();
    }

    /** What is served now. */
    public ApiTable table() {
        return table;
    }

    /** A handler service came. */
    public synchronized void add(ServiceReference<RequestHandler> reference) {
        bound.add(bind(reference));
        rebuild();
    }

    /** The properties of a handler service changed. */
    public void change(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        synchronized (this) {
            BoundHandler changed = bind(reference);
            former = takeOut(reference);
            bound.add(changed);
            rebuild();
        }
        close(former);
    }

    /** A handler service leaves; returns when no thread is inside it. */
    public void remove(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        synchronized (this) {
            former = takeOut(reference);
            rebuild();
        }
        close(former);
    }

    /** Takes out a handler whose service object cannot be made, so that the next one serves. */
    synchronized void exclude(BoundHandler broken) {
        if (bound.remove(broken)) {
            LOGGER.error(
                    "handler could not be activated, the next one serves its keys; see the fault of its component: handler={}",
                    broken.name());
            broken.bundle().remove(broken);
            rebuild();
        }
    }

    @GuardedBy("this")
    private @Nullable BoundHandler takeOut(ServiceReference<RequestHandler> reference) {
        for (BoundHandler handler : bound) {
            if (handler.reference().equals(reference)) {
                bound.remove(handler);
                return handler;
            }
        }
        return null;
    }

    private static void close(@Nullable BoundHandler former) {
        if (former != null && !former.close(DRAIN_LIMIT)) {
            LOGGER.warn("handler left while a request was still in it: handler={}", former.name());
        }
    }

    @GuardedBy("this")
    private void rebuild() {
        table = tables.make(bound);
        bundles.forgetGone();
    }

    @GuardedBy("this")
    private BoundHandler bind(ServiceReference<RequestHandler> reference) {
        BoundHandler handler = bundles.bind(reference, bound);
        if (handler.keys().isEmpty()) {
            LOGGER.warn("handler without the service property api.key serves nothing: handler={}", handler.name());
        }
        handler.keys().removeIf(key -> {
            boolean unknown =
                    key < ApiTable.FIRST_NEW_KEY && tables.versions().of(key).isEmpty();
            if (unknown) {
                LOGGER.warn(
                        "key that these listeners do not have is not served: apiKey={} listeners={} handler={}",
                        key,
                        tables.versions().listeners(),
                        handler.name());
            }
            return unknown;
        });
        return handler;
    }
}
