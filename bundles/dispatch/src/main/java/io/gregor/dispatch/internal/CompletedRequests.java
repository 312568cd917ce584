package io.gregor.dispatch.internal;

/** Takes each request when it is done, with its times; the seam of request metrics and request log. Shared: any thread. */
interface CompletedRequests {
    /** Called once a request on a processor thread, when its response is written or nothing was to be written. */
    void add(RequestTimes times);
}
