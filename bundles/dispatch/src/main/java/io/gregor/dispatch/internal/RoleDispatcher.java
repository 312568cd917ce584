package io.gregor.dispatch.internal;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.dispatch.RequestRouter;
import io.gregor.internal.quota.ClientQuotas;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;

/** Shared: any thread; see {@code serve}. Brings requests to their handlers, and follow-up work to handler threads. */
public final class RoleDispatcher implements RequestRouter {
    private final HandlerRegistry registry;
    private final RequestChannel channel;
    private final LongSupplier clockNs;
    private final CompletedRequests completed;
    private final QuotaMeter meter;

    RoleDispatcher(
            HandlerRegistry registry,
            RequestChannel channel,
            LongSupplier clockNs,
            CompletedRequests completed,
            QuotaMeter meter) {
        this.meter = meter;
        this.registry = registry;
        this.channel = channel;
        this.clockNs = clockNs;
        this.completed = completed;
    }

    /** Has a request seen by the filters of its key, and handled unless one of them ended it; never throws. */
    void serve(ParsedRequest request) {
        ServedApi api = registry.table().find(request.apiKey());
        FilterChain filters = api == null ? null : api.filters();
        if (filters == null) {
            handle(request, request.isEmbedded() ? nowNs() : 0);
        } else if (filters.passes(request)) {
            handle(request, nowNs());
            leaveFilters(request);
        }
    }

    private static void leaveFilters(ParsedRequest request) {
        FilterPass pass = request.filters();
        if (pass != null) {
            pass.leaves();
        }
    }

    /**
     * Has a request handled by the service that serves its key now; never throws. A handler that leaves between look-up and
     * entry is out of the next table, so the loop ends; while there is none the request waits. Whoever has made a new table
     * and then asks what is in hand, sees each request that is served by the old one: its thread has entered before it looks
     * whether the table is still the same.
     *
     * @param givenNs the time; 0 if it is that of the handler thread's taking the request
     */
    void handle(ParsedRequest request, long givenNs) {
        while (true) {
            ApiTable table = registry.table();
            ServedApi api = table.find(request.apiKey());
            if (api == null || !api.takes(request.apiVersion())) {
                request.closeConnection();
                return;
            }
            BoundHandler bound = api.handlerFor(request);
            if (bound == null ? isWaiting(request, api) : bound.enter() && serveIn(bound, request, table, givenNs)) {
                return;
            }
        }
    }

    /** Filters have seen it already when it comes back. False if the wait is over, so that there is another table. */
    private boolean isWaiting(ParsedRequest request, ServedApi api) {
        WaitingRequests gap = api.waiting();
        return gap != null && gap.add(request, () -> later(new FollowUp(request, () -> handle(request, nowNs()))));
    }

    private boolean serveIn(BoundHandler bound, ParsedRequest request, ApiTable table, long givenNs) {
        try {
            if (registry.table() != table) {
                return false;
            }
            RequestHandler handler = bound.handler();
            if (handler == null) {
                registry.exclude(bound);
                return false;
            }
            request.givenTo(bound.bundle(), givenNs);
            bound.bundle().call(handler, request);
        } catch (Throwable fault) {
            request.fail(fault);
        } finally {
            request.handlerReturned();
            bound.exit();
        }
        return true;
    }

    @Override
    public void routeEmbedded(Request envelope, RequestContext inner, ByteBuffer body) {
        short key = inner.header.data().requestApiKey();
        ServedApi api = registry.table().find(key);
        if (api == null || !api.takes(inner.header.apiVersion())) {
            throw new UnsupportedVersionException(
                    "forwarded request is not served here: apiKey=" + key + " apiVersion=" + inner.header.apiVersion());
        }
        ByteBuffer bodyBytes = body.slice();
        AbstractRequest parsed;
        try {
            parsed = inner.parseRequest(body).request;
        } catch (RuntimeException unreadable) {
            throw new UnsupportedVersionException(
                    "Failed to parse forwarded request with header " + inner.header, unreadable);
        }
        EmbeddedRequest embedded = new EmbeddedRequest(this, envelope, inner, parsed, bodyBytes);
        RequestTrace.received(embedded, envelope.context());
        serve(embedded);
    }

    /** Measures requests by the request quota. */
    QuotaMeter meter() {
        return meter;
    }

    /** From now on these quotas count. */
    public void quotas(ClientQuotas next) {
        meter.quotas(next);
    }

    /** These quotas count no more. */
    public void withoutQuotas(ClientQuotas gone) {
        meter.without(gone);
    }

    /** Queues follow-up work; when the node stops and no thread comes any more, it is abandoned. */
    void later(FollowUp work) {
        if (!channel.putFollowUp(work)) {
            work.abandon();
        }
    }

    void completed(RequestTimes times) {
        completed.add(times);
    }

    /** The clock of {@link Request#receivedNs}. */
    long nowNs() {
        return clockNs.getAsLong();
    }
}
