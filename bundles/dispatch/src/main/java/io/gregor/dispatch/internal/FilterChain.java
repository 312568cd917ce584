package io.gregor.dispatch.internal;

import java.util.List;

/** The filters of one API key, the one next to the client first. Immutable. */
final class FilterChain {
    /** The names of the filters. */
    List<String> names() {
        return List.of();
    }

    /** Has the filters see a request; false if one of them has answered or refused it. On a handler thread. */
    boolean passes(ParsedRequest request) {
        return !request.isAnswered();
    }
}
