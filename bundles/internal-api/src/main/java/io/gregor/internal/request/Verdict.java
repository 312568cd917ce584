package io.gregor.internal.request;

/** What becomes of a connection after one of its frames was looked at. */
public enum Verdict {
    /** A request is queued: the connection is muted until its response. */
    QUEUED,
    /** The frame belongs to the authenticator (KIP-368): hand it over, from its first byte; the buffer is not released. */
    REAUTHENTICATE,
    /** Bad bytes, an API that is not served here, or an expired session: the connection is closed. */
    CLOSE
}
