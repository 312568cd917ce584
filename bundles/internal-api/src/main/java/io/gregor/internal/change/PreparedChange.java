package io.gregor.internal.change;

import java.util.concurrent.CompletableFuture;

/** A change that was tried: either {@link #commit} or {@link #undo} is called, once. Reconfiguration thread. */
public interface PreparedChange {
    /**
     * Switches it on. When it returns, the new values count.
     *
     * @return what follows and takes time, as the draining of a removed listener: ends with one line of figures
     *     ({@code drained=12 closed=0 …}), or an empty one
     * @throws RuntimeException if it cannot be switched on after all, with the reason; the former values count then
     */
    CompletableFuture<String> commit();

    /** Takes back what {@code prepare} opened. */
    void undo();

    /** A change that needs no preparation. */
    static PreparedChange of(Runnable commit) {
        return new PreparedChange() {
            @Override
            public CompletableFuture<String> commit() {
                commit.run();
                return CompletableFuture.completedFuture("");
            }

            @Override
            public void undo() {
                // nothing was opened
            }
        };
    }
}
