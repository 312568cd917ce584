package io.gregor.broker.internal;

import io.gregor.internal.transport.AdvertisedListeners;
import io.gregor.internal.transport.ListenerRegistrar;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.ListenerInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this broker again when its listeners change, one change after the other. A change that is refused, or not seen
 * in time, is taken back. Shared: any thread.
 */
public final class BrokerRegistrar implements ListenerRegistrar {
    /** A failing over of the controller takes some seconds. */
    static final long TIMEOUT_MS = 20_000;

    private static final Logger LOGGER = LoggerFactory.getLogger(BrokerRegistrar.class);

    private final int brokerId;
    private final String interBrokerListener;
    private final RegistrationChannel channel;
    private final ServedImage served;
    private final AtomicReference<CompletableFuture<Void>> last =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    /** Registers over a channel, and sees in what this broker serves that it has come about. */
    public BrokerRegistrar(int brokerId, String interBrokerListener, RegistrationChannel channel, ServedImage served) {
        this.brokerId = brokerId;
        this.interBrokerListener = interBrokerListener;
        this.channel = channel;
        this.served = served;
    }

    @Override
    public CompletableFuture<Void> register(List<Endpoint> advertised) {
        ListenerInfo wanted;
        try {
            wanted = AdvertisedListeners.of(advertised, Optional.of(interBrokerListener));
        } catch (ConfigException | UnknownHostException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        var unused = last.getAndSet(done).whenComplete((turn, fault) -> register(wanted, done));
        return done.copy();
    }

    private void register(ListenerInfo wanted, CompletableFuture<Void> done) {
        ListenerInfo former = ListenerInfo.fromBrokerRegistrationRequest(channel.listeners());
        channel.listeners(wanted);
        CompletableFuture<Void> answer = channel.amend();
        CompletableFuture<Void> shown = served.await(image -> shows(image, wanted), TIMEOUT_MS);
        var unusedRefusal = answer.exceptionally(refusal -> {
            shown.completeExceptionally(refusal);
            return null;
        });
        var unusedEnd = shown.whenComplete((seen, fault) -> {
            if (fault == null) {
                LOGGER.info(
                        "registered with other listeners: listeners={}",
                        wanted.listeners().values());
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
            var unused = channel.amend().exceptionally(fault -> {
                LOGGER.warn("the former listeners could not be registered: listeners={}", former.listeners(), fault);
                return null;
            });
        }
    }

    private boolean shows(MetadataImage image, ListenerInfo wanted) {
        BrokerRegistration registration = image.cluster().broker(brokerId);
        return registration != null && registration.listeners().equals(wanted.listeners());
    }

    private static TimeoutException late(ListenerInfo wanted, Throwable fault) {
        return new TimeoutException(
                "listeners=" + wanted.listeners().values() + " were not in the metadata of this broker in timeoutMs="
                        + TIMEOUT_MS + ": check that there is an active controller",
                fault);
    }
}
