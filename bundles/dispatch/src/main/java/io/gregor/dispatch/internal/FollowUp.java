package io.gregor.dispatch.internal;

import org.apache.kafka.server.common.RequestLocal;

/** Immutable. Work of a request that comes back to a handler thread. */
record FollowUp(ParsedRequest request, Runnable work) implements Work {
    @Override
    public boolean isBrief() {
        return false;
    }

    @Override
    public void run(RequestLocal local) {
        request.useLocal(local);
        request.followUpBegins();
        FilterPass filters = request.filters();
        if (filters != null) {
            filters.enters();
        }
        try {
            HandlerBundle bundle = request.bundle();
            if (bundle != null && bundle.isPlugin()) {
                bundle.measure(work);
            } else {
                work.run();
            }
        } catch (Throwable fault) {
            request.fail(fault);
        } finally {
            if (filters != null) {
                filters.leaves();
            }
            request.followUpEnds();
        }
    }

    @Override
    public void abandon() {
        request.releaseBody();
    }
}
