package io.gregor.transport.internal;

import org.jspecify.annotations.Nullable;

/** The thread that owns the state of a processor. Shared: any thread; only the owner passes {@link #check}. */
final class OwnerThread {
    private volatile @Nullable Thread owner;

    /** Makes the calling thread the owner. */
    void claim() {
        owner = Thread.currentThread();
    }

    /** Throws unless the owner calls. */
    void check() {
        Thread expected = owner;
        Thread actual = Thread.currentThread();
        if (actual != expected) {
            throw new IllegalStateException("called by thread=" + actual.getName() + ", which is not the owner="
                    + (expected == null ? "none" : expected.getName()));
        }
    }
}
