package io.gregor.plugins.internal;

/**
 * How a started bundle looks. Immutable.
 *
 * @param reason why it is not ready, on one line; else empty
 * @param advice what to do about it; else empty
 */
record Look(Kind kind, String reason, String advice) {
    /** Ready for use; not yet, since something it refers to may still come; or not ever. */
    enum Kind {
        READY,
        WAITING,
        FAILED
    }

    static final Look READY = new Look(Kind.READY, "", "");

    static Look waiting(String reason, String advice) {
        return new Look(Kind.WAITING, reason, advice);
    }

    static Look failed(String reason, String advice) {
        return new Look(Kind.FAILED, reason, advice);
    }
}
