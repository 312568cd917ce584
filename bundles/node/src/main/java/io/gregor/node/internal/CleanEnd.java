package io.gregor.node.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeFaults;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.fault.FaultHandlerException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the node: the first reason counts, what comes after it is its consequence and only logged. Shared: any thread; the
 * end itself runs on a thread of its own.
 */
final class CleanEnd implements NodeFaults {
    private static final Logger LOGGER = LoggerFactory.getLogger(CleanEnd.class);
    /** A logger of its own, so that a console that already shows standard error need not show the message twice. */
    private static final Logger REFUSALS = LoggerFactory.getLogger(StartRefused.class);

    private final IntConsumer exit;
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final LongAdder nonFatalFaults = new LongAdder();

    CleanEnd(IntConsumer exit) {
        this.exit = exit;
    }

    @Override
    public FaultHandler fatal(String component) {
        return (message, cause) -> {
            LOGGER.error("Encountered fatal fault: {} component={}", message, component, cause);
            end(1);
            return exception(message, cause);
        };
    }

    @Override
    public FaultHandler nonFatal(String component) {
        return (message, cause) -> {
            nonFatalFaults.increment();
            LOGGER.error("Encountered nonfatal fault: {} component={}", message, component, cause);
            return exception(message, cause);
        };
    }

    /** How many faults were survived. */
    long nonFatalFaultCount() {
        return nonFatalFaults.sum();
    }

    @Override
    public void refuseStart(String message) {
        if (isEnding.compareAndSet(false, true)) {
            REFUSALS.error("{}", message);
            System.err.println("gregor: " + message);
            exitWith(1);
        } else {
            LOGGER.debug("start refused while the node ends: {}", message);
        }
    }

    @Override
    public void stop(String reason) {
        LOGGER.info("stopping: reason={}", reason);
        end(0);
    }

    /** Ends the node with an exit status, unless it is ending. */
    void end(int status) {
        if (isEnding.compareAndSet(false, true)) {
            exitWith(status);
        }
    }

    private void exitWith(int status) {
        EngineThread.daemon("node-end", () -> exit.accept(status)).start();
    }

    private static RuntimeException exception(String message, @Nullable Throwable cause) {
        return cause == null ? new FaultHandlerException(message) : new FaultHandlerException(message, cause);
    }
}
