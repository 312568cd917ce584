package io.gregor.internal.node;

import java.util.concurrent.CompletionStage;
import org.apache.kafka.server.fault.FaultHandler;

/** Where faults of a whole component go. Shared: any thread. */
public interface NodeFaults {
    /** A handler that logs and takes the node down cleanly, with exit status 1. */
    FaultHandler fatal(String component);

    /** Ends, on the thread that found it, with the first fatal fault: from then on parts of the node may no longer answer others. */
    CompletionStage<Void> broken();

    /** A handler that logs and counts. */
    FaultHandler nonFatal(String component);

    /**
     * Ends a start that cannot succeed, with one message for the operator and no stack trace: what is wrong, with its
     * value, and the way out. Returns at once; the node stops on another thread with exit status 1.
     */
    void refuseStart(String message);

    /** Stops the node cleanly, on another thread, with exit status 0. */
    void stop(String reason);
}
