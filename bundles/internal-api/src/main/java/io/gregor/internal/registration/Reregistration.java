package io.gregor.internal.registration;

import io.gregor.internal.transport.ListenerRegistrar;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.metadata.ListenerInfo;

/**
 * Registers a node again when its listeners change, one change after the other. A change that is refused, or not seen in
 * time, is taken back. Shared: any thread.
 */
public final class Reregistration implements ListenerRegistrar {
    /** How long a change may take: the failing over of the controller takes some seconds. */
    public static final long TIMEOUT_MS = 20_000;

    /** Watches the node's own metadata. */
    public interface Watch {
        /** Ends when this node is registered with these listeners; fails if it is not within the time. */
        CompletableFuture<Void> registered(ListenerInfo listeners, long timeoutMs);
    }

    private final Optional<String> first;
    private final RegistrationChannel channel;
    private final Watch watch;
    private final AtomicReference<CompletableFuture<Void>> last =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    /**
     * Registers over a channel.
     *
     * @param first the listener that must be among those that are registered, if there is such a one
     * @param watch sees that it has come about
     */
    public Reregistration(Optional<String> first, RegistrationChannel channel, Watch watch) {
        this.first = first;
        this.channel = channel;
        this.watch = watch;
    }

    @Override
    public CompletableFuture<Void> register(List<Endpoint> advertised) {
        ListenerInfo wanted;
        try {
            wanted = AdvertisedListeners.of(advertised, first);
        } catch (ConfigException | UnknownHostException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        var unused = last.getAndSet(done).whenComplete((turn, fault) -> register(wanted, done));
        return done.copy();
    }

    private void register(ListenerInfo wanted, CompletableFuture<Void> done) {
        ListenerInfo former = channel.listeners();
        channel.listeners(wanted);
        CompletableFuture<Void> answer = channel.amend();
        CompletableFuture<Void> seen = watch.registered(wanted, TIMEOUT_MS);
        var unusedRefusal = answer.exceptionally(refusal -> {
            seen.completeExceptionally(refusal);
            return null;
        });
        var unusedEnd = seen.whenComplete((isSeen, fault) -> {
            if (fault == null) {
                done.complete(null);
                return;
            }
            boolean isRefused = answer.isCompletedExceptionally();
            takeBack(former, answer, isRefused);
            done.completeExceptionally(isRefused ? fault : late(wanted, fault));
        });
    }

    /** What was not refused may be on its way still: another registration overtakes it. */
    private void takeBack(ListenerInfo former, CompletableFuture<Void> answer, boolean isRefused) {
        channel.listeners(former);
        if (!isRefused) {
            answer.cancel(false);
            var unused = channel.amend();
        }
    }

    private static TimeoutException late(ListenerInfo wanted, Throwable fault) {
        return new TimeoutException(
                "listeners=" + wanted.listeners().values() + " were not in the metadata of this node in timeoutMs="
                        + TIMEOUT_MS + ": check that there is an active controller",
                fault);
    }
}
