package io.gregor.internal.request;

/** A request that another node may decide about. Implemented by the requests that handlers get. Handed from thread to thread. */
public interface DecidedElsewhere {
    /** It is sent on, and not decided here: it is written to the audit log by the node that decides. Before the answer. */
    void decidedElsewhere();
}
