package io.gregor.controller.internal;

import io.gregor.internal.registration.Reregistration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.ControllerRegistration;
import org.apache.kafka.metadata.ListenerInfo;

/** Sees in the metadata with which listeners this controller is registered. Shared: any thread; images come on the loader's. */
final class RegistrationWatch implements MetadataPublisher, Reregistration.Watch {
    private record Wait(ListenerInfo listeners, CompletableFuture<Void> done) {}

    private final int nodeId;
    private final Uuid incarnationId;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private final List<Wait> waits = new CopyOnWriteArrayList<>();
    private volatile Map<String, Endpoint> registered = Map.of();

    RegistrationWatch(int nodeId, Uuid incarnationId) {
        this.nodeId = nodeId;
        this.incarnationId = incarnationId;
    }

    /** Ends when this controller is registered, on the metadata loader's thread. */
    CompletableFuture<Void> first() {
        return first;
    }

    @Override
    public CompletableFuture<Void> registered(ListenerInfo listeners, long timeoutMs) {
        Wait wait = new Wait(listeners, new CompletableFuture<>());
        waits.add(wait);
        look(wait);
        wait.done.orTimeout(timeoutMs, TimeUnit.MILLISECONDS);
        var unused = wait.done.whenComplete((nothing, fault) -> waits.remove(wait));
        return wait.done;
    }

    @Override
    public String name() {
        return "RegistrationWatch id=" + nodeId;
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        ControllerRegistration own = image.cluster().controllers().get(nodeId);
        if (own != null && own.incarnationId().equals(incarnationId)) {
            registered = own.listeners();
            waits.forEach(this::look);
            first.complete(null);
        }
    }

    /** Ends all waits: nothing will change any more. */
    @Override
    public void close() {
        waits.forEach(wait -> wait.done.completeExceptionally(new TimeoutException("this controller stops")));
    }

    private void look(Wait wait) {
        if (wait.listeners.listeners().equals(registered)) {
            wait.done.complete(null);
        }
    }
}
