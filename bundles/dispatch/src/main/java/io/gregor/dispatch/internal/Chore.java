package io.gregor.dispatch.internal;

import org.apache.kafka.server.common.RequestLocal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Immutable. Seldom work of dispatch itself that is not for processor threads. */
record Chore(Runnable work) implements Work {
    private static final Logger LOGGER = LoggerFactory.getLogger(Chore.class);

    @Override
    public boolean isBrief() {
        return false;
    }

    @Override
    public void run(RequestLocal local) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOGGER.error("work of dispatch itself failed", e);
        }
    }

    @Override
    public void abandon() {}
}
