package io.gregor.node.internal;

import io.gregor.internal.plugin.PluginClasses;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The classes of plugins, for which a start waits. They stay when their service leaves: the node must not fall with it.
 * Shared: any thread; {@link #loader} waits until they are there.
 */
public final class AwaitedClasses implements PluginClasses {
    private static final long LIMIT_SECONDS = 30;

    private final CompletableFuture<PluginClasses> first = new CompletableFuture<>();
    private volatile PluginClasses last = () -> await().loader();

    /** The service came, or came again. */
    public void came(PluginClasses classes) {
        last = classes;
        first.complete(classes);
    }

    @Override
    public ClassLoader loader() {
        return last.loader();
    }

    private PluginClasses await() {
        try {
            return first.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new StartRefused("the node stops");
        } catch (ExecutionException | TimeoutException missing) {
            throw new StartRefused(
                    "the bundle plugins is not there, which finds the classes that the configuration names:"
                            + " see that the distribution is complete");
        }
    }
}
