package io.gregor.controller.internal;

import io.gregor.internal.metadata.MetadataFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.controller.QuorumController;
import org.apache.kafka.controller.metrics.ControllerMetadataMetricsPublisher;
import org.apache.kafka.controller.metrics.QuorumControllerMetrics;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's quorum controller with what belongs to it: metrics, and the registration of this controller with the
 * active one. Owned by {@code ActiveController}.
 */
public final class RunningController implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(RunningController.class);
    private static final long END_TIMEOUT_S = 5;

    private final MetadataFeed feed;
    private final QuorumControllerMetrics metrics;
    private final QuorumController controller;
    private final OwnRegistration registration;
    private final List<MetadataPublisher> publishers = new ArrayList<>();

    /**
     * Builds everything; from then on the controller follows Raft.
     *
     * @param advertised where others reach the listeners of this controller
     * @throws Exception if the metadata directory or the host's own name stands in the way
     */
    public RunningController(BundleContext context, ControllerNeeds needs, List<Endpoint> advertised) throws Exception {
        ControllerSettings settings = new ControllerSettings(needs);
        feed = needs.feed();
        metrics = new QuorumControllerMetrics(
                Optional.of(KafkaYammerMetrics.defaultRegistry()), Time.SYSTEM, settings.sessionTimeoutMs());
        controller = settings.build(needs.raft(), metrics, needs.policies());
        registration = new OwnRegistration(context, needs, settings.supportedFeatures(), advertised);
        publishers.addAll(registration.publishers());
        needs.health()
                .controllerMetrics()
                .map(counts -> new ControllerMetadataMetricsPublisher(
                        counts, needs.health().publishing()))
                .ifPresent(publishers::add);
    }

    /**
     * Installs the publishers and lets this controller register itself.
     *
     * @throws ExecutionException if a publisher cannot be installed
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public void start() throws ExecutionException, InterruptedException {
        for (MetadataPublisher publisher : publishers) {
            feed.install(publisher).get();
        }
        registration.start();
    }

    /** Has listeners registered that were bound in place of others. */
    public void bound(List<Endpoint> advertised) {
        registration.bound(advertised);
    }

    /** Kafka's controller. */
    public QuorumController controller() {
        return controller;
    }

    /**
     * Lets go of the metadata and of the active controller, while there are doors to talk through: the registration, when it
     * is removed from the feed, ends its channel.
     */
    public void letGo() {
        registration.close();
        publishers.forEach(this::remove);
    }

    /** Ends it in Kafka's order; Raft has been left before, if the node stops, and all else let go. */
    @Override
    public void close() {
        controller.beginShutdown();
        Utils.closeQuietly(controller, "quorum controller");
        Utils.closeQuietly(metrics, "quorum controller metrics");
    }

    private void remove(MetadataPublisher publisher) {
        try {
            feed.remove(publisher).get(END_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.warn("publisher could not be removed: publisher={}", publisher.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
