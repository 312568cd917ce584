package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.FilteredRequest;
import io.gregor.api.FilteredResponse;
import io.gregor.api.RequestFilter;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code filter}. One filter service: its object is fetched when the first request needs it, since
 * filters may refer to services of dispatch itself.
 */
public final class BoundFilter {
    /** Gets and ungets service objects: the bundle context, or a map in tests. */
    public interface Source {
        /** The service object; null if it cannot be made. */
        @Nullable
        RequestFilter open(ServiceReference<RequestFilter> reference);

        /** The service object is no longer used. */
        void close(ServiceReference<RequestFilter> reference);
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(BoundFilter.class);
    private static final long NS_PER_MS = 1_000_000L;

    private final ServiceReference<RequestFilter> reference;
    private final Source source;
    private final @Nullable Bundle bundle;
    private final String bundleTitle;
    private final FilterOrder order;
    private final FilterTerms terms;
    private final long timeNs;
    private final long limitNs;
    private final FilterGuard guard;
    private final FilterFigures figures = new FilterFigures();
    private final LongAdder inHand = new LongAdder();
    private volatile boolean used = true;
    private volatile boolean gone;
    private volatile @Nullable RequestFilter filter;
    private boolean seesRequests;
    private boolean seesResponses;

    private volatile Runnable onIdle = () -> {};

    @GuardedBy("this")
    private boolean opened;

    BoundFilter(ServiceReference<RequestFilter> reference, Source source, FilterOrder order, LongSupplier clockNs) {
        this.reference = reference;
        this.source = source;
        this.order = order;
        this.bundle = reference.getBundle();
        this.bundleTitle = bundle == null ? "" : bundle.getSymbolicName() + " " + bundle.getVersion();
        this.terms = FilterProperties.read(reference);
        this.timeNs = terms.budget().time().toNanos();
        this.limitNs = terms.budget().limit().toNanos();
        this.guard = new FilterGuard("filter=" + name() + " bundle=" + bundleTitle, terms, clockNs);
    }

    ServiceReference<RequestFilter> reference() {
        return reference;
    }

    /** The name of its component, or the service's id. */
    String name() {
        Object name = reference.getProperty("component.name");
        return name instanceof String component ? component : "service " + reference.getProperty("service.id");
    }

    /** The bundle it comes from; null if that had left when it was bound. */
    @Nullable
    Bundle bundle() {
        return bundle;
    }

    /** Symbolic name and version of the bundle; empty if there is none. */
    String bundleTitle() {
        return bundleTitle;
    }

    FilterOrder order() {
        return order;
    }

    FilterTerms terms() {
        return terms;
    }

    FilterGuard guard() {
        return guard;
    }

    FilterFigures figures() {
        return figures;
    }

    /** After so many nanoseconds a call is given up. */
    long limitNs() {
        return limitNs;
    }

    /** Counts a call that has returned, and whether it was a fault. */
    void judge(short apiKey, long ns, long bytes, @Nullable Throwable thrown) {
        figures.call(ns, bytes);
        if (thrown == null && ns <= timeNs && bytes <= terms.budget().allocatedBytes()) {
            return;
        }
        figures.fault();
        guard.fault(apiKey, fault(ns, bytes, thrown));
        if (thrown != null) {
            LOGGER.debug("filter failed: filter={} apiKey={}", name(), apiKey, thrown);
        }
    }

    private String fault(long ns, long bytes, @Nullable Throwable thrown) {
        if (thrown != null) {
            return "it threw " + thrown;
        }
        return ns > timeNs
                ? "it took " + ns / NS_PER_MS + " ms, more than " + FilterProperties.TIME + "=" + timeNs / NS_PER_MS
                : "it allocated " + bytes + " bytes, more than " + FilterProperties.ALLOCATED + "="
                        + terms.budget().allocatedBytes();
    }

    /** A call has not returned: puts it out. */
    void giveUp(short apiKey, long ns, String thread) {
        figures.call(ns, 0);
        figures.fault();
        guard.putOut(
                apiKey,
                "a call did not return within " + FilterProperties.LIMIT + "=" + limitNs / NS_PER_MS
                        + ", its request is refused and its thread replaced, which is now " + thread);
    }

    /** Whether new requests come to it. */
    boolean isUsed() {
        return used && !gone;
    }

    /** Says whether new requests come to it. */
    void use(boolean isUsed) {
        used = isUsed;
    }

    /** Whether its service has left. */
    boolean isGone() {
        return gone;
    }

    /** A request whose response it is to see comes to it. */
    void awaits() {
        inHand.increment();
    }

    /** One of those has its answer. */
    void answered() {
        inHand.decrement();
    }

    /** Requests that it has seen and whose responses it is to see. */
    long inHand() {
        return Math.max(0, inHand.sum());
    }

    /** The service object; null if it has left, or cannot be made, which puts it out. */
    @Nullable
    RequestFilter filter(short apiKey) {
        RequestFilter found = filter;
        return found != null ? found : open(apiKey);
    }

    /** What is run once it is known that it does nothing. */
    void onIdle(Runnable work) {
        onIdle = work;
    }

    private @Nullable RequestFilter open(short apiKey) {
        boolean isFirst;
        synchronized (this) {
            isFirst = !opened;
            if (isFirst && !gone) {
                make(apiKey);
            }
        }
        if (isFirst && isIdle()) {
            onIdle.run();
        }
        return filter;
    }

    @GuardedBy("this")
    private void make(short apiKey) {
        try {
            RequestFilter made = source.open(reference);
            if (made != null) {
                opened = true;
                seesRequests = overrides(made, "filterRequest", FilteredRequest.class);
                seesResponses = overrides(made, "filterResponse", FilteredResponse.class);
                filter = made;
            } else if (!gone) {
                guard.putOut(apiKey, "its component could not be activated, the fault of which is in the log");
            }
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.debug("filter could not be made: filter={}", name(), fault);
            guard.putOut(apiKey, "its object could not be made: " + fault);
        }
    }

    /** Whether a class says what to do in a method; if that cannot be found out, it is called. */
    private static boolean overrides(RequestFilter filter, String method, Class<?> parameter) {
        try {
            return filter.getClass().getMethod(method, parameter).getDeclaringClass() != RequestFilter.class;
        } catch (NoSuchMethodException | LinkageError unknown) {
            return true;
        }
    }

    /** Whether it does anything with requests; known once there is an object. */
    boolean seesRequests() {
        return seesRequests;
    }

    /** Whether it does anything with responses; known once there is an object. */
    boolean seesResponses() {
        return seesResponses;
    }

    /** Whether it has an object, and that does nothing. */
    boolean isIdle() {
        return filter != null && !seesRequests && !seesResponses;
    }

    /** Lets nobody in any more; who is inside is another matter. */
    void leave() {
        gone = true;
    }

    /** Nobody is inside any more, or was waited for long enough. */
    synchronized void close() {
        gone = true;
        filter = null;
        if (opened) {
            opened = false;
            source.close(reference);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
