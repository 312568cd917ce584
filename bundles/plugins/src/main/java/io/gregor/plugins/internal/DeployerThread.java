package io.gregor.plugins.internal;

import io.gregor.internal.node.EngineThread;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code submit}. The one thread on which everything is done to plugins, one after the other. Its
 * queue has no bound: what fills it are events of the disk and orders of the shell.
 */
public final class DeployerThread {
    private static final Logger LOGGER = LoggerFactory.getLogger(DeployerThread.class);
    private static final String NAME = "gregor-deployer";
    private static final long STOP_LIMIT_MS = 1_000;
    private static final long AFTER_FAULT_MS = 10_000;

    private final BlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();
    private final LongSupplier look;
    private final Thread thread = EngineThread.daemon(NAME, this::run);
    private volatile boolean isStopped;

    /**
     * Not started.
     *
     * @param look called after each order, and when the time is over that it returned last, in milliseconds
     */
    public DeployerThread(LongSupplier look) {
        this.look = look;
    }

    public void start() {
        thread.start();
    }

    /** Has it do something, after all that was asked for before. Never waits. */
    public void submit(Runnable order) {
        orders.add(order);
    }

    /** Does nothing more from now on, also not what was asked for. */
    public void halt() {
        isStopped = true;
        submit(() -> {});
    }

    /** Ends the thread; what it does now may end by an interrupt. */
    public void stop() {
        halt();
        thread.interrupt();
        try {
            thread.join(STOP_LIMIT_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long waitMs = Long.MAX_VALUE;
        try {
            while (!isStopped) {
                Runnable order = orders.poll(waitMs, TimeUnit.MILLISECONDS);
                if (order != null && !isStopped) {
                    carryOut(order);
                }
                if (orders.isEmpty() && !isStopped) {
                    waitMs = lookAround();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private long lookAround() {
        try {
            return look.getAsLong();
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error(
                    "a look at the plugins failed unexpectedly, it is tried again: afterMs={}", AFTER_FAULT_MS, fault);
            return AFTER_FAULT_MS;
        }
    }

    /** What goes wrong with one plugin must not end the care for the others. */
    private static void carryOut(Runnable order) {
        try {
            order.run();
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error("a step with a plugin failed unexpectedly", fault);
        }
    }
}
