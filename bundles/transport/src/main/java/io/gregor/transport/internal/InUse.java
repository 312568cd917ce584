package io.gregor.transport.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel layer or the authenticator of a listener, with the number of those that use it: the listener, until it makes
 * new connections with another one, and each connection. The last one closes it. Shared: any thread.
 */
final class InUse<T> {
    private static final Logger LOGGER = LoggerFactory.getLogger(InUse.class);

    private final T part;
    private final Runnable close;
    private final Executor aside;
    private final AtomicInteger users = new AtomicInteger(1);
    private final AtomicBoolean givenUp = new AtomicBoolean();

    /** A part that its listener uses; {@code close} may wait, so threads of connections leave it to {@code aside}. */
    InUse(T part, Runnable close, Executor aside) {
        this.part = part;
        this.close = close;
        this.aside = aside;
    }

    /** What is used. */
    T part() {
        return part;
    }

    /** One more connection uses it; false if it is closed. */
    boolean tryUse() {
        int now = users.get();
        while (now > 0 && !users.compareAndSet(now, now + 1)) {
            now = users.get();
        }
        return now > 0;
    }

    /** A connection does not use it any more. */
    void release() {
        if (users.decrementAndGet() == 0) {
            aside.execute(this::close);
        }
    }

    /** The listener does not use it any more; again has no effect. A configuring thread, since it may wait. */
    void giveUp() {
        giveUp(none -> {});
    }

    /** The same; it is told so first, whether connections use it or not. */
    void giveUp(Consumer<T> retire) {
        if (givenUp.compareAndSet(false, true)) {
            guarded("retired", () -> retire.accept(part));
            if (users.decrementAndGet() == 0) {
                close();
            }
        }
    }

    private void close() {
        guarded("closed", close);
    }

    private void guarded(String what, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error("a part of a listener's security could not be {}: part={}", what, part, fault);
        }
    }
}
