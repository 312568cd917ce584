package io.gregor.transport.internal;

import org.jspecify.annotations.Nullable;

/** The service of a bundle that may leave, and come again. Shared: any thread. Empty while it is away. */
public final class ServiceSlot<S> {
    private volatile @Nullable S current;

    /** It is this one from now on. */
    public synchronized void fill(S service) {
        current = service;
    }

    /** Empties the slot if it still has this service. */
    public synchronized void empty(S service) {
        if (current == service) {
            current = null;
        }
    }

    /** The service of the moment, null while there is none. */
    public @Nullable S current() {
        return current;
    }
}
