package io.gregor.plugins;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code newestFirst}. The bundles that the deployer has installed, for those of this bundle that look
 * for classes in them. Written by the deployer thread only.
 */
@Component(service = DeployedBundles.class)
public final class DeployedBundles {
    private static final Logger LOGGER = LoggerFactory.getLogger(DeployedBundles.class);

    private final List<Runnable> afterSwitch = new CopyOnWriteArrayList<>();
    private volatile List<Bundle> newestFirst = List.of();
    private volatile Supplier<CompletableFuture<Void>> taking = () -> CompletableFuture.completedFuture(null);

    /** Those of {@code deploy/} and on trial, started or not: of each name what serves first, then the last dropped. */
    public List<Bundle> newestFirst() {
        return newestFirst;
    }

    /** Waits until all jars are installed that have been found by now. */
    void awaitTaken(Duration limit) {
        try {
            taking.get().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LOGGER.warn("jars of deploy/ are not installed yet: waitedMs={}", limit.toMillis());
        }
    }

    /** How to learn that all jars are installed that have been found. */
    void taking(Supplier<CompletableFuture<Void>> taken) {
        taking = taken;
    }

    /** Has something done on the deployer thread, each time when others are there, or another one serves. */
    void afterSwitch(Runnable action) {
        afterSwitch.add(action);
    }

    void forget(Runnable action) {
        afterSwitch.remove(action);
    }

    void replace(List<Bundle> bundles) {
        if (!bundles.equals(newestFirst)) {
            newestFirst = List.copyOf(bundles);
            afterSwitch.forEach(Runnable::run);
        }
    }
}
