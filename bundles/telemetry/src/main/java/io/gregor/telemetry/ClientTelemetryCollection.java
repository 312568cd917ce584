package io.gregor.telemetry;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.telemetry.internal.IdleFigures;
import io.gregor.telemetry.internal.Receivers;
import io.gregor.telemetry.internal.Subscriptions;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.ClientMetricsManager;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.apache.kafka.server.telemetry.ClientTelemetryExporter;
import org.apache.kafka.server.telemetry.ClientTelemetryReceiver;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Kafka's {@link ClientMetricsManager}, a service with the property {@code role} from the first receiver on: its thread, which
 * never rests, is not there on a node whose clients are not asked. It stays when the last receiver leaves, so that clients
 * that still push get an answer. Shared: any thread; see {@code bindReceiver}.
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {})
@SuppressWarnings("removal")
public final class ClientTelemetryCollection {
    private static final String PART = "client telemetry";

    private final BundleContext context;
    private final NodeConfig config;
    private final NodeFaults faults;
    private final Metrics metrics;
    private final MetadataFeed feed;
    private final IdleFigures idle;
    private final Receivers receivers = new Receivers();

    /** What was begun, the last first; empty until there is a receiver. */
    @GuardedBy("this")
    private final Deque<AutoCloseable> begun = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean isActive;

    /** Nobody receives anything yet. */
    @Activate
    public ClientTelemetryCollection(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference MetadataFeed feed) {
        this.context = context;
        this.config = config;
        this.faults = faults;
        this.metrics = metrics;
        this.feed = feed;
        this.idle = new IdleFigures(metrics);
    }

    @Activate
    synchronized void activate() {
        isActive = true;
        beginIfWanted();
    }

    /** The first one begins it all. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindReceiver(ClientTelemetryReceiver receiver) {
        receivers.add(receiver);
        beginIfWanted();
    }

    void unbindReceiver(ClientTelemetryReceiver receiver) {
        receivers.remove(receiver);
    }

    /** The first one begins it all. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindExporter(ClientTelemetryExporter exporter) {
        receivers.add(exporter);
        beginIfWanted();
    }

    void unbindExporter(ClientTelemetryExporter exporter) {
        receivers.remove(exporter);
    }

    private synchronized void beginIfWanted() {
        if (isActive && begun.isEmpty() && !receivers.isEmpty()) {
            begin();
        }
    }

    @GuardedBy("this")
    private void begin() {
        idle.close();
        ClientMetricsManager manager = EngineThread.call(() -> new ClientMetricsManager(
                receivers,
                config.values().getInt(MetricConfigs.CLIENT_TELEMETRY_MAX_BYTES_CONFIG),
                Time.SYSTEM,
                metrics));
        begun.push(manager);
        Following following = new Following(feed, faults, PART, new Subscriptions(manager::updateSubscription));
        begun.push(following);
        Announcement<ConnectionDisconnectListener> ends = new Announcement<>(
                context, Role.BROKER, ConnectionDisconnectListener.class, manager.connectionDisconnectListener());
        begun.push(ends);
        Announcement<ClientMetricsManager> announcement =
                new Announcement<>(context, Role.BROKER, ClientMetricsManager.class, manager);
        begun.push(announcement);
        ends.publish();
        following.start(announcement::publish);
    }

    /** Whoever uses the manager is told first. */
    @Deactivate
    synchronized void deactivate() {
        isActive = false;
        while (!begun.isEmpty()) {
            Utils.closeQuietly(begun.pop(), PART);
        }
        idle.close();
    }
}
