package io.gregor.controller.internal;

import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Role;
import io.gregor.internal.registration.AdvertisedListeners;
import io.gregor.internal.registration.RegistrationChannel;
import io.gregor.internal.registration.Reregistration;
import io.gregor.internal.transport.ListenerRegistrar;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ControllerRegistrationRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.metadata.VersionRange;
import org.apache.kafka.server.controller.ControllerRegistrationManager;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This controller's registration with the active one: Kafka's own code registers it, and again whenever the log has lost it;
 * changed listeners are registered beside it, under the same incarnation. Shared: any thread.
 */
final class OwnRegistration implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(OwnRegistration.class);
    private static final long RETRY_MS = 5_000;

    private final Optional<String> first;
    private final RegistrationChannel channel;
    private final ControllerRegistrationManager kafka;
    private final RegistrationWatch watch;
    private final Announcement<ListenerRegistrar> registrar;

    /**
     * Registers nothing yet.
     *
     * @throws UnknownHostException if the host's own name is not known
     */
    OwnRegistration(
            BundleContext context,
            ControllerNeeds needs,
            Map<String, VersionRange> supportedFeatures,
            List<Endpoint> advertised)
            throws UnknownHostException {
        int nodeId = needs.config().nodeId();
        Uuid incarnationId = Uuid.randomUuid();
        first = Optional.of(needs.config().controllerListeners().get(0).value());
        ListenerInfo listeners = AdvertisedListeners.of(advertised, first);
        channel = new RegistrationChannel(
                needs.channels().channel(Role.CONTROLLER, "registration", RETRY_MS), OwnRegistration::renewed);
        channel.listeners(listeners);
        kafka = new ControllerRegistrationManager(
                nodeId, Time.SYSTEM, "controller-" + nodeId + "-", supportedFeatures, incarnationId, listeners);
        watch = new RegistrationWatch(nodeId, incarnationId);
        registrar = new Announcement<>(
                context, Role.CONTROLLER, ListenerRegistrar.class, new Reregistration(first, channel, watch));
    }

    /** What has to see the metadata; the first of them ends the channel when it is removed from the feed. */
    List<MetadataPublisher> publishers() {
        return List.of(kafka, watch);
    }

    /** Lets this controller register itself; the registrar shows once that is seen. */
    void start() {
        var unused = watch.first().thenRun(registrar::publish);
        channel.start();
        kafka.start(channel);
    }

    /** Registers listeners that were bound in place of others, unless the registrar has done so. */
    void bound(List<Endpoint> advertised) {
        try {
            channel.listeners(AdvertisedListeners.of(advertised, first));
        } catch (KafkaException | UnknownHostException refused) {
            LOGGER.error("changed listeners cannot be registered", refused);
            return;
        }
        if (channel.isOutdated()) {
            var unused = channel.amend().whenComplete((done, fault) -> {
                if (fault != null) {
                    LOGGER.error("changed listeners could not be registered: listeners={}", channel.listeners(), fault);
                }
            });
        }
    }

    /** Takes the registrar back. */
    @Override
    public void close() {
        registrar.close();
    }

    private static Optional<AbstractRequest.Builder<?>> renewed(
            AbstractRequest.Builder<?> request, ListenerInfo listeners) {
        return request instanceof ControllerRegistrationRequest.Builder registration
                ? Optional.of(new ControllerRegistrationRequest.Builder(registration
                        .build()
                        .data()
                        .duplicate()
                        .setListeners(listeners.toControllerRegistrationRequest())))
                : Optional.empty();
    }
}
