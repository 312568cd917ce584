package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/**
 * A bundle with handlers: what it has in hand, and what it did. Shared: any thread; see {@code inHand}. Requests that are
 * answered before their handler returns cost nothing here: the gates of its handlers count them.
 */
final class HandlerBundle {
    /** Where the bundles of plugins come from; others are the distribution's own. */
    private static final String PLUGIN_LOCATION = "plugin:";

    private final @Nullable Bundle bundle;
    private final long id;
    private final String symbolicName;
    private final boolean isPlugin;
    private final List<BoundHandler> handlers = new CopyOnWriteArrayList<>();
    private final LongAdder awaited = new LongAdder();
    private final LongAdder allocatedBytes = new LongAdder();
    private final BundleCounts counts = new BundleCounts();

    HandlerBundle(@Nullable Bundle bundle) {
        String location = bundle == null ? null : bundle.getLocation();
        String name = bundle == null ? null : bundle.getSymbolicName();
        this.bundle = bundle;
        this.id = bundle == null ? -1 : bundle.getBundleId();
        this.symbolicName = name == null ? "" : name;
        this.isPlugin = location != null && location.startsWith(PLUGIN_LOCATION);
    }

    /** The framework's number of the bundle; -1 if there is no bundle. */
    long id() {
        return id;
    }

    /** Its symbolic name; empty if it has none. */
    String symbolicName() {
        return symbolicName;
    }

    /** Its symbolic name and version; empty if there is no bundle. */
    String title() {
        return bundle == null ? "" : symbolicName + " " + bundle.getVersion();
    }

    /** Whether it was put into {@code deploy/}: what it allocates is measured. */
    boolean isPlugin() {
        return isPlugin;
    }

    /** One of its handlers is used from now on. */
    void add(BoundHandler handler) {
        handlers.add(handler);
    }

    /** A handler is left, and no thread is inside it. */
    void remove(BoundHandler handler) {
        handlers.remove(handler);
    }

    /** Whether it has handlers that are used or just being left. */
    boolean hasHandlers() {
        return !handlers.isEmpty();
    }

    /** A handler returned without having answered. Before the thread leaves the handler. */
    void awaits() {
        awaited.increment();
    }

    /** A request that was waited for is answered. */
    void answered() {
        awaited.decrement();
    }

    /**
     * Requests that its handlers have and have not answered. Threads inside are counted first: who leaves a handler without
     * an answer counts in {@code awaited} before, so that nothing in hand is missed.
     */
    long inHand() {
        long inside = 0;
        for (BoundHandler handler : handlers) {
            inside += handler.inside();
        }
        return inside + Math.max(0, awaited.sum());
    }

    /** Has one of its handlers called, and what it allocates counted if it is a plugin's. */
    void call(RequestHandler handler, Request request) {
        if (isPlugin) {
            measure(() -> handler.handle(request));
        } else {
            handler.handle(request);
        }
    }

    /** Does work of one of its handlers, and counts what it allocates. Only of a plugin. */
    void measure(Runnable work) {
        long before = AllocatedBytes.ofThisThread();
        try {
            work.run();
        } finally {
            allocatedBytes.add(AllocatedBytes.ofThisThread() - before);
        }
    }

    /** What they allocated until now; -1 if it is not measured. */
    long allocatedBytes() {
        return isPlugin ? allocatedBytes.sum() : -1;
    }

    /** What its handlers did. */
    BundleCounts counts() {
        return counts;
    }

    /** Whether it is started. */
    boolean isActive() {
        return bundle != null && (bundle.getState() & (Bundle.STARTING | Bundle.ACTIVE)) != 0;
    }

    /** Whether nothing will ever come of it again. */
    boolean isGone() {
        return !hasHandlers() && (bundle == null || bundle.getState() == Bundle.UNINSTALLED) && inHand() == 0;
    }

    @Override
    public String toString() {
        return title();
    }
}
