package io.gregor.launcher;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bundles that did not start, and why. Its log lines are for the log file: the operator gets them as the reason of the refused
 * start. A plugin's fault never stops a start, and {@code plugins} tells of it. Shared: any thread.
 */
final class StartFaults {
    private static final Logger LOGGER = LoggerFactory.getLogger(StartFaults.class);

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    void add(Bundle bundle, Throwable fault) {
        String line = "bundle fails: bundle=" + bundle.getSymbolicName() + " reason=" + reason(fault);
        if (PluginLocation.isOf(bundle)) {
            LOGGER.debug(line, fault);
        } else {
            LOGGER.error(line, fault);
            lines.add(line);
        }
    }

    /**
     * Ends the start if there was any fault.
     *
     * @throws RefusedStart with one line a bundle
     */
    void refuseIfAny() {
        if (!lines.isEmpty()) {
            throw new RefusedStart(String.join("\n", lines));
        }
    }

    /** The innermost cause on one line: those around it only repeat that something failed. */
    static String reason(Throwable fault) {
        Throwable inner = fault;
        for (@Nullable Throwable cause = fault.getCause(); cause != null; cause = cause.getCause()) {
            inner = cause;
        }
        String text = inner.getMessage() == null ? inner.toString() : inner.getMessage();
        boolean isPlain = inner instanceof org.osgi.framework.BundleException || inner == fault;
        return (isPlain ? text : inner.getClass().getSimpleName() + ": " + text)
                .replaceFirst(" Unresolved requirements: .*", "") // the same once more
                .replaceAll("\\s+", " ");
    }
}
