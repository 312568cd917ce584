package io.gregor.metadata.internal;

import org.apache.kafka.server.fault.FaultHandler;

/**
 * Counts a fault before it is handled. Shared: any thread.
 *
 * @param handler what handles the fault
 * @param count what counts it
 */
public record FaultCount(FaultHandler handler, Runnable count) implements FaultHandler {
    @Override
    public RuntimeException handleFault(String failureMessage, Throwable cause) {
        count.run();
        return handler.handleFault(failureMessage, cause);
    }
}
