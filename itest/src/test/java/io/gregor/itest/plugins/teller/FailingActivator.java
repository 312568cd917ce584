package io.gregor.itest.plugins.teller;

import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Cannot be started. Immutable. */
public final class FailingActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        throw new IllegalStateException("no licence found");
    }

    @Override
    public void stop(BundleContext context) {
        // never started
    }
}
