package io.gregor.dispatch.internal;

import org.apache.kafka.server.common.RequestLocal;

/** What a handler thread takes from the request channel: a request, or the follow-up work of one. */
interface Work {
    /** Whether it certainly keeps its thread for microseconds only, so that others need not be woken meanwhile. */
    boolean isBrief();

    /** Does the work, on a handler thread; faults of the work stay inside. */
    void run(RequestLocal local);

    /** Is called instead of {@link #run} when the channel is closed. */
    void abandon();
}
