package io.gregor.dispatch.internal;

/** The filters of one API key, the one next to the client first. Immutable. */
final class FilterChain {
    /** Has the filters see a request; false if one of them has answered or refused it. On a handler thread. */
    boolean passes(ParsedRequest request) {
        return !request.isAnswered();
    }
}
