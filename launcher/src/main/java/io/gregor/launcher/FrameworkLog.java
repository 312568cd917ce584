package io.gregor.launcher;

import org.apache.felix.framework.Logger;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceReference;
import org.slf4j.LoggerFactory;

/** Sends what the framework has to say to the log instead of the console. Shared: any thread. */
final class FrameworkLog extends Logger {
    private static final org.slf4j.Logger LOGGER = LoggerFactory.getLogger("org.apache.felix.framework");

    @Override
    @SuppressWarnings("rawtypes") // the signature of the library
    protected void doLog(
            @Nullable Bundle bundle,
            @Nullable ServiceReference service,
            int level,
            @Nullable String message,
            @Nullable Throwable fault) {
        String text = bundle == null ? message : "bundle=" + bundle.getSymbolicName() + " " + message;
        if (fault instanceof BundleException || (bundle != null && PluginLocation.isOf(bundle))) {
            LOGGER.debug(text, fault); // an event tells the same, see StartFaults; of a plugin's faults plugins tells
            return;
        }
        switch (level) {
            case LOG_ERROR, LOG_WARNING -> LOGGER.warn(text, fault);
            case LOG_INFO -> LOGGER.debug(text, fault);
            default -> LOGGER.trace(text, fault);
        }
    }
}
