package io.gregor.transport.internal;

import org.apache.kafka.common.errors.AuthenticationException;

/** A step aside threw. Immutable. */
final class StepFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private StepFailure(Throwable fault) {
        super("a step aside failed", fault);
    }

    /** What the processor throws for it: a refusal is one still. */
    static RuntimeException of(Throwable fault) {
        return fault instanceof AuthenticationException refused ? refused : new StepFailure(fault);
    }
}
