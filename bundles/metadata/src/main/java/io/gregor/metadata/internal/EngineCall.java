package io.gregor.metadata.internal;

import io.gregor.internal.node.EngineThread;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Makes things whose threads inherit the engine's class loader. Immutable. */
public final class EngineCall {
    private EngineCall() {}

    /** Calls the supplier with the engine's class loader as context class loader. */
    public static <T> T call(Supplier<T> work) {
        AtomicReference<T> made = new AtomicReference<>();
        EngineThread.run(() -> made.set(work.get()));
        return Objects.requireNonNull(made.get());
    }
}
