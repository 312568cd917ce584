package io.gregor.dispatch.internal;

/** Takes each request when it is done, with its times; the seam of request metrics and request log. Shared: any thread. */
interface CompletedRequests {
    /**
     * Called once a request, when its response is written or nothing was to be written: on a processor thread, or on the one
     * that finds its connection gone.
     */
    void add(RequestTimes times);
}
