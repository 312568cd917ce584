package io.gregor.dispatch.internal;

/**
 * A handler that serves an API key for a share of the connections. Immutable.
 *
 * @param handler who serves it
 * @param sharePercent of so many of 100 connections
 * @param minVersion from this version on
 * @param maxVersion up to this one
 */
record TrialHandler(BoundHandler handler, int sharePercent, short minVersion, short maxVersion) {
    /** Whether a request is one for it. */
    boolean takes(ParsedRequest request) {
        short version = request.apiVersion();
        return version >= minVersion
                && version <= maxVersion
                && TrialShare.has(request.context().connectionId, sharePercent);
    }
}
