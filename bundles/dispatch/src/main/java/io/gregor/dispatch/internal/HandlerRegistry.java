package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.RequestHandler;
import io.gregor.internal.node.GregorConfigs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    private volatile Runnable onGap = () -> {};
    private volatile Runnable onChange = () -> {};
    private volatile ApiTable table = new ApiTable(List.of());

    HandlerRegistry(HandlerBundles bundles, TableMaker tables) {
        this.bundles = bundles;
        this.tables = tables;
    }

    /** What is run, on the changing thread, when requests begin to wait for a handler. */
    void onGap(Runnable work) {
        onGap = work;
    }

    /** What is run, on the changing thread, when there is another table, and the handler that has left is empty. */
    void onChange(Runnable work) {
        onChange = work;
    }

    /** Makes the table anew, as standings or filters have changed. */
    void refresh() {
        Change change;
        synchronized (this) {
            change = rebuild();
        }
        finish(change, null);
    }

    /** What is served now. */
    public ApiTable table() {
        return table;
    }

    /** A handler service came. */
    public void add(ServiceReference<RequestHandler> reference) {
        Change change;
        synchronized (this) {
            bound.add(bind(reference));
            change = rebuild();
        }
        finish(change, null);
    }

    /** The properties of a handler service changed. */
    public void change(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        Change change;
        synchronized (this) {
            BoundHandler changed = bind(reference);
            former = takeOut(reference);
            bound.add(changed);
            change = rebuild();
        }
        finish(change, former);
    }

    /** A handler service leaves; returns when no thread is inside it. */
    public void remove(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        Change change;
        synchronized (this) {
            former = takeOut(reference);
            change = rebuild();
        }
        finish(change, former);
    }

    /** Takes out a handler whose service object cannot be made, so that the next one serves, or is waited for. */
    void exclude(BoundHandler broken) {
        Change change;
        synchronized (this) {
            if (!bound.remove(broken)) {
                return;
            }
            broken.bundle().remove(broken);
            change = rebuild();
        }
        LOGGER.error(
                "handler could not be activated, the next one serves its keys; see the fault of its component: handler={}",
                broken.name());
        finish(change, null);
    }

    /** Ends waits whose time is over. Returns when the next one is over, {@link GapTimer#NOTHING} if nothing waits. */
    long endGaps() {
        refresh();
        return table.all().stream()
                .map(ServedApi::waiting)
                .filter(Objects::nonNull)
                .mapToLong(tables.gaps()::leftNs)
                .min()
                .orElse(GapTimer.NOTHING);
    }

    /** For how long requests wait for a handler, from now on. */
    void gapTimeoutMs(long timeoutMs) {
        tables.gaps().timeoutMs(timeoutMs);
        if (table.hasGaps()) {
            onGap.run();
        }
    }

    /** Nothing waits any more: the node stops, and no handler will come. */
    void closeGaps() {
        tables.gaps().close();
        refresh();
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

    /** Immutable. What became of the table. */
    private record Change(ApiTable before, ApiTable after) {}

    @GuardedBy("this")
    private Change rebuild() {
        ApiTable before = table;
        ApiTable after = tables.make(bound, before);
        table = after;
        bundles.forgetGone();
        return new Change(before, after);
    }

    /** Without the lock, as it wakes other threads, closes connections, and waits until a handler that has left is empty. */
    private void finish(Change change, @Nullable BoundHandler former) {
        for (ServedApi was : change.before().all()) {
            WaitingRequests gap = was.waiting();
            ServedApi is = change.after().find(was.key());
            if (gap != null && (is == null || is.waiting() != gap)) {
                end(was, gap, is != null);
            } else if (gap == null && is != null && is.waiting() != null) {
                LOGGER.info("requests wait for a handler: apiKey={} api={}", was.key(), was.name());
            }
        }
        if (change.after().hasGaps() && !change.before().hasGaps()) {
            onGap.run();
        }
        close(former);
        onChange.run();
    }

    private void end(ServedApi api, WaitingRequests gap, boolean isServed) {
        HandlerGaps gaps = tables.gaps();
        int requests = isServed ? gap.goOn() : gap.giveUp();
        if (isServed) {
            LOGGER.info(
                    "a handler came, requests go on: apiKey={} api={} requests={} waitedMs={}",
                    api.key(),
                    api.name(),
                    requests,
                    gaps.sinceMs(gap));
        } else if (gaps.isAllowed(gap)) {
            LOGGER.warn(
                    "no handler came in time, the API is not served any more and the connections of its requests are"
                            + " closed: apiKey={} api={} requests={} {}={}",
                    api.key(),
                    api.name(),
                    requests,
                    GregorConfigs.HANDLER_SWAP_TIMEOUT_MS_CONFIG,
                    gaps.timeoutMs());
        }
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
