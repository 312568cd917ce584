package io.gregor.itest.plugins.teller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;

/** A component that cannot be activated. Immutable. */
public final class FailingComponent implements RequestHandler {
    /** Throws. */
    public FailingComponent() {
        throw new UnsupportedOperationException("no table of words");
    }

    @Override
    public void handle(Request request) {
        throw new AssertionError("never made");
    }
}
