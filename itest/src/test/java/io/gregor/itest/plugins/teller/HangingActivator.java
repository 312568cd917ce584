package io.gregor.itest.plugins.teller;

import java.util.concurrent.CountDownLatch;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Never comes back from its start. Immutable. */
public final class HangingActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void stop(BundleContext context) {
        // never started
    }
}
