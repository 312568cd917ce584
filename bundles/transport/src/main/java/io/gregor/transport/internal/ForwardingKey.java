package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * The selection key that a channel layer keeps for life. It stands for the registration with whatever selector the
 * connection is on just now; between two of them it is valid as long as the channel is open, remembers the interest ops,
 * and nothing is ready. Owned by the processor thread of its connection.
 */
public final class ForwardingKey extends SelectionKey {
    private final SelectableChannel channel;
    private @Nullable SelectionKey target;
    private int savedOps;
    private boolean isPaused;
    private int pausedOps;

    /** A key that is not registered yet, with the interest ops for its first registration. */
    public ForwardingKey(SelectableChannel channel, int interestOps) {
        this.channel = channel;
        this.savedOps = interestOps;
    }

    /** Registers the channel with a selector, and stands for that registration from now on. */
    SelectionKey register(Selector selector) throws IOException {
        SelectionKey registration = channel.register(selector, savedOps);
        target = registration;
        return registration;
    }

    /** Cancels the registration and remembers its interest ops for the next one. */
    void deregister() {
        SelectionKey registration = target;
        if (registration != null) {
            savedOps = registration.interestOps();
            target = null;
            registration.cancel();
        }
    }

    /** Whether it stands for a registration just now. */
    boolean isRegistered() {
        return target != null;
    }

    /** Has the selector be silent until {@link #goOn}; what interest there is, and what is wanted meanwhile, is kept. */
    void pause() {
        pausedOps = interestOps();
        interestOps(0);
        isPaused = true;
    }

    /** Ends a pause. */
    void goOn() {
        isPaused = false;
        interestOps(pausedOps);
    }

    /** Adds interest in an operation; nothing happens if it is there. */
    void add(int op) {
        int now = interestOps();
        if ((now & op) != op) {
            interestOps(now | op);
        }
    }

    /** Takes away interest in an operation; nothing happens if it is not there. */
    void remove(int op) {
        int now = interestOps();
        if ((now & op) != 0) {
            interestOps(now & ~op);
        }
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        SelectionKey now = target;
        if (now == null) {
            throw new IllegalStateException("the connection is between two processors");
        }
        return now.selector();
    }

    @Override
    public boolean isValid() {
        SelectionKey now = target;
        return now == null ? channel.isOpen() : now.isValid();
    }

    @Override
    public void cancel() {
        SelectionKey now = target;
        if (now != null) {
            now.cancel();
        }
    }

    @Override
    public int interestOps() {
        if (isPaused) {
            return pausedOps;
        }
        SelectionKey now = target;
        return now == null ? savedOps : now.interestOps();
    }

    @Override
    public SelectionKey interestOps(int ops) {
        SelectionKey now = target;
        if (isPaused) {
            pausedOps = ops;
        } else if (now == null) {
            savedOps = ops;
        } else {
            now.interestOps(ops);
        }
        return this;
    }

    @Override
    public int readyOps() {
        SelectionKey now = target;
        return now == null || isPaused ? 0 : now.readyOps();
    }
}
