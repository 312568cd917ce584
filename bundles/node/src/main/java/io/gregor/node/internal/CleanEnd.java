package io.gregor.node.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.SecretValues;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    private final CompletableFuture<Void> broken = new CompletableFuture<>();
    private final LongAdder nonFatalFaults = new LongAdder();
    private volatile SecretValues secrets = SecretValues.NONE;

    CleanEnd(IntConsumer exit) {
        this.exit = exit;
    }

    /** From now on these are hidden in whatever is said of a fault. */
    void hide(SecretValues all) {
        secrets = all;
    }

    @Override
    public FaultHandler fatal(String component) {
        return (message, cause) -> {
            logged("fatal", message, component, cause);
            broken.complete(null);
            end(1);
            return exception(message, cause);
        };
    }

    @Override
    public CompletionStage<Void> broken() {
        return broken.minimalCompletionStage();
    }

    @Override
    public FaultHandler nonFatal(String component) {
        return (message, cause) -> {
            nonFatalFaults.increment();
            logged("nonfatal", message, component, cause);
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
            String told = secrets.hiddenIn(message);
            REFUSALS.error("{}", told);
            System.err.println("gregor: " + told);
            exitWith(1);
        } else {
            LOGGER.debug("start refused while the node ends: {}", secrets.hiddenIn(message));
        }
    }

    /** Ends a start that a fault of ours has ended. */
    void failStart(Throwable fault) {
        LOGGER.error("the node cannot start", secrets.hiddenIn(fault));
        end(1);
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

    private void logged(String kind, String message, String component, @Nullable Throwable cause) {
        LOGGER.error(
                "Encountered {} fault: {} component={}",
                kind,
                secrets.hiddenIn(message),
                component,
                cause == null ? null : secrets.hiddenIn(cause));
    }

    private static RuntimeException exception(String message, @Nullable Throwable cause) {
        return cause == null ? new FaultHandlerException(message) : new FaultHandlerException(message, cause);
    }
}
