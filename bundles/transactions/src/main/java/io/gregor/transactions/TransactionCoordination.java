package io.gregor.transactions;

import io.gregor.internal.broker.ProducerIds;
import io.gregor.internal.metadata.BrokerClients;
import io.gregor.internal.metadata.CoordinatorNews;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.transactions.TransactionCoordinator;
import io.gregor.internal.transactions.TransactionMarkers;
import io.gregor.transactions.internal.CoordinatorSettings;
import io.gregor.transactions.internal.HostedTransactions;
import io.gregor.transactions.internal.Leaders;
import io.gregor.transactions.internal.MarkerSender;
import io.gregor.transactions.internal.RemoteMarkers;
import io.gregor.transactions.internal.RuntimeCoordinator;
import io.gregor.transactions.internal.Runtimes;
import io.gregor.transactions.internal.Sweep;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.SystemTimerReaper;
import org.apache.kafka.server.util.timer.Timer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction coordinator of this broker, from the first metadata image on a {@link TransactionCoordinator} service with the
 * property {@code role}. Producer ids and the local appending of markers come later than it and leave earlier: what needs
 * them is asked again. Owned by the component's life cycle.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
public final class TransactionCoordination {
    private static final Logger LOGGER = LoggerFactory.getLogger(TransactionCoordination.class);
    private static final String PART = "transaction coordinator";
    private static final String UNKNOWN_DESTINATIONS = "UnknownDestinationQueueSize";
    private static final String COMPLETIONS_TO_RETRY = "LogAppendRetryQueueSize";

    private final KafkaMetricsGroup gauges =
            new KafkaMetricsGroup("kafka.coordinator.transaction", "TransactionMarkerChannelManager");
    private final RemoteMarkers elsewhere;
    private final HostedTransactions hosted;
    private final Announcement<TransactionCoordinator> announcement;
    private final Following following;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    private volatile @Nullable ProducerIds producerIds;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC, target = "(role=broker)")
    private volatile @Nullable TransactionMarkers here;

    /** Builds the coordinator; the first image starts it up. */
    @Activate
    public TransactionCoordination(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference MetadataFeed feed,
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference BrokerClients clients) {
        CoordinatorSettings settings = CoordinatorSettings.of(config);
        Leaders leaders = new Leaders(config.interBrokerListener());
        Timer timer = EngineThread.call(() ->
                new SystemTimerReaper("transaction-coordinator-reaper", new SystemTimer("transaction-coordinator")));
        this.elsewhere = EngineThread.call(() -> new RemoteMarkers(
                settings.brokerId(), clients.open("txn-marker"), settings.requestTimeoutMs(), Time.SYSTEM));
        MarkerSender sender = new MarkerSender(settings.brokerId(), leaders, () -> here, elsewhere);
        this.hosted = EngineThread.call(() -> new HostedTransactions(
                settings.logPartitions(),
                shards -> Runtimes.build(settings, metrics, timer, replicas, shards),
                sender,
                leaders::serverVersion,
                Time.SYSTEM));
        gauges.newGauge(UNKNOWN_DESTINATIONS, sender::unknownDestinations);
        gauges.newGauge(COMPLETIONS_TO_RETRY, sender::completionsToRetry);
        this.announcement = new Announcement<>(
                context,
                Role.BROKER,
                TransactionCoordinator.class,
                new RuntimeCoordinator(hosted, settings, this::newProducerId, leaders::serverVersion, Time.SYSTEM));
        CoordinatorNews news = new CoordinatorNews(
                settings.brokerId(),
                Topic.TRANSACTION_STATE_TOPIC_NAME,
                settings.logPartitions(),
                hosted,
                faults.nonFatal(PART));
        this.following = new Following(feed, faults, PART, leaders.before(news));
        EngineThread.run(elsewhere::start);
        Sweep.every(settings.abortIntervalMs(), timer, hosted::abortTimedOut);
        Sweep.every(settings.expiryIntervalMs(), timer, () -> hosted.expire(settings.idExpirationMs()));
        following.start(announcement::publish);
    }

    private long newProducerId() {
        ProducerIds ids = producerIds;
        if (ids == null) {
            throw Errors.COORDINATOR_LOAD_IN_PROGRESS.exception();
        }
        return ids.next();
    }

    /** Ends the news before the coordinator, which would refuse them. */
    @Deactivate
    public void stop() {
        announcement.close();
        following.close();
        gauges.removeMetric(UNKNOWN_DESTINATIONS);
        gauges.removeMetric(COMPLETIONS_TO_RETRY);
        EngineThread.run(this::stopThreads);
    }

    private void stopThreads() {
        try {
            hosted.close();
            elsewhere.shutdown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception fault) {
            LOGGER.warn("transaction coordinator did not stop cleanly", fault);
        }
    }
}
