package io.gregor.broker;

import io.gregor.broker.internal.ControllerForwarding;
import io.gregor.broker.internal.OfferedServices;
import io.gregor.broker.internal.ProducerIdBlocks;
import io.gregor.broker.internal.ServedImage;
import io.gregor.broker.internal.TopicCreation;
import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.broker.ProducerIds;
import io.gregor.internal.broker.StreamsTopicCreation;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.registration.Reregistration;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.internal.transport.ListenerRegistrar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.transaction.ProducerIdManager;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.publisher.BrokerRegistrationTracker;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the doors of the broker role when logs, replicas and coordinator have applied the metadata and the controller has
 * unfenced this broker; closes them after controlled shutdown. Until then every service that handlers answer from is
 * there: they come before {@link RoleReady} and leave after it. Owned by the component's life cycle; {@link #open} runs on a
 * thread of its own.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class BrokerDoors {
    private static final Logger LOGGER = LoggerFactory.getLogger(BrokerDoors.class);
    /** How long Kafka's broker tries to forward a request. */
    private static final long FORWARDING_TIMEOUT_MS = 60_000;

    private static final long LAST_UPDATE_TIMEOUT_MS = 10_000;

    private final Registration registration;
    private final MetadataFeed feed;
    private final NodeToControllerChannelManager channel;
    private final ServedImage served;
    private final List<MetadataPublisher> publishers;
    private final ControllerForwarding forwarding;
    private final ListenerRegistrar registrar;
    private final TopicCreation topics;
    private final ProducerIdBlocks producerIds;
    private final OfferedServices services;
    private final Thread opening;
    private volatile boolean isStopping;

    /** Builds the parts and starts to wait. {@code replicas} and {@code transactions} are needed for their order only: they apply metadata earlier. */
    @Activate
    public BrokerDoors(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference Metrics metrics,
            @Reference RaftManager<ApiMessageAndVersion> raft,
            @Reference ControllerChannels channels,
            @Reference MetadataFeed feed,
            @Reference Registration registration,
            @Reference Logs logs,
            @Reference Replicas replicas,
            @Reference GroupCoordinator groups,
            @Reference TransactionCoordinator transactions) {
        this.registration = registration;
        this.feed = feed;
        int nodeId = config.nodeId();
        this.channel = channels.channel("forwarding", FORWARDING_TIMEOUT_MS);
        this.served = new ServedImage(
                nodeId, new KRaftMetadataCache(nodeId, () -> raft.client().kraftVersion()), logs.scheduler());
        this.publishers = List.of(served, new BrokerRegistrationTracker(nodeId, registration::resend));
        this.forwarding = new ControllerForwarding(channel, served, metrics, Time.SYSTEM);
        this.registrar = new Reregistration(
                Optional.of(config.interBrokerListener().value()),
                registration.channel(),
                (listeners, timeoutMs) -> served.await(image -> isRegistered(image, nodeId, listeners), timeoutMs));
        this.topics = TopicCreation.over(channel, served, config.values(), groups, Time.SYSTEM);
        this.producerIds =
                new ProducerIdBlocks(ProducerIdManager.rpc(nodeId, Time.SYSTEM, registration::epoch, channel));
        this.services = new OfferedServices(context, Map.of(Role.PROPERTY, Role.BROKER.property()));
        this.opening = EngineThread.daemon("broker-unfencing", this::open);
        EngineThread.run(channel::start);
        opening.start();
    }

    /** Whoever lets a future fail tells the node why; here it is only the end of the opening. */
    private void open() {
        try {
            for (MetadataPublisher publisher : publishers) {
                feed.install(publisher).get();
            }
            served.first().get();
            services.add(ServedMetadata.class, served);
            services.add(Forwarding.class, forwarding);
            services.add(AutoTopics.class, topics);
            services.add(StreamsTopicCreation.class, topics);
            services.add(ProducerIds.class, producerIds);
            registration.caughtUp().get();
            services.add(ListenerRegistrar.class, registrar);
            registration.unfence().get();
            LOGGER.info("broker is unfenced: epoch={}", registration.epoch());
            producerIds.prefetch();
            services.add(RoleReady.class, new RoleReady() {});
        } catch (InterruptedException | ExecutionException | IllegalStateException fault) {
            if (!isStopping) {
                LOGGER.warn("broker was not unfenced", fault);
            }
        }
    }

    /** Leaves the cluster, closes the doors, then takes away what requests were answered from. */
    @Deactivate
    void stop() {
        isStopping = true;
        opening.interrupt();
        registration.leave();
        services.close();
        publishers.forEach(this::remove);
        topics.close();
        forwarding.close();
        try {
            channel.shutdown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isRegistered(MetadataImage image, int nodeId, ListenerInfo listeners) {
        BrokerRegistration registration = image.cluster().broker(nodeId);
        return registration != null && registration.listeners().equals(listeners.listeners());
    }

    private void remove(MetadataPublisher publisher) {
        try {
            feed.remove(publisher).get(LAST_UPDATE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            LOGGER.warn("metadata still comes while the broker stops: publisher={}", publisher.name(), fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
