package io.gregor.metadata;

import io.gregor.internal.metadata.QuorumMember;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.metadata.internal.QuorumEndpoints;
import io.gregor.metadata.internal.RaftNode;
import io.gregor.metadata.internal.Services;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.raft.Endpoints;
import org.apache.kafka.raft.RaftManager;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts Raft on a thread of its own and shows by the services RaftManager and QuorumMember that it runs. Shared: guarded by
 * itself.
 *
 * <p>The bound ports are only needed once, so a later change of listeners leaves Raft alone.
 */
@Component(
        configurationPid = Configurations.METADATA,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = {})
public final class RaftMember implements QuorumMember {
    private static final Logger LOGGER = LoggerFactory.getLogger(RaftMember.class);
    private static final long START_LIMIT_MS = 30_000;

    private final NodeConfig config;
    private final NodeIdentity identity;
    private final NodeFaults faults;
    private final Metrics metrics;
    private final CountedHealth health;
    private final Services services;
    private final Thread starter;
    private volatile PluginClasses classes = Utils.class::getClassLoader;
    private volatile @Nullable BoundListeners listeners;
    private volatile @Nullable RaftNode raft;

    /** Keeps what Raft is built from. */
    @Activate
    public RaftMember(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference CountedHealth health) {
        this.config = config;
        this.identity = identity;
        this.faults = faults;
        this.metrics = metrics;
        this.health = health;
        services = new Services(context);
        starter = EngineThread.daemon(
                "kafka-" + config.nodeId() + "-raft-startup", () -> EngineThread.run(classes.loader(), this::start));
    }

    /** It has been there before the configuration; what it has found stays when it leaves. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindClasses(PluginClasses came) {
        classes = came;
    }

    void unbindClasses(PluginClasses gone) {}

    /** The controller's bound ports; required by configuration on a controller. */
    @Reference(
            name = "controllerListeners",
            target = "(role=controller)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC)
    void bindControllerListeners(BoundListeners bound) {
        listeners = bound;
    }

    /** A leaving list is kept: the ports were told to the quorum at the start. */
    void unbindControllerListeners(BoundListeners bound) {
        LOGGER.debug("controller listeners left: {}", bound.advertised());
    }

    /** Starts the thread that starts Raft. */
    @Activate
    void activate() {
        starter.start();
    }

    /** Leaves the quorum, if not done before, and takes the services back. */
    @Deactivate
    void deactivate() {
        Utils.swallow(LOGGER, () -> starter.join(START_LIMIT_MS));
        leave();
        services.close();
    }

    @Override
    public synchronized void leave() {
        RaftNode running = raft;
        raft = null;
        if (running != null) {
            running.close();
        }
    }

    private void start() {
        try {
            RaftNode node = new RaftNode(config, identity, metrics, endpoints(), faults.fatal("raft manager"));
            raft = node;
            node.start(health::ignoredStaticVoters);
            services.add(RaftManager.class, node, Map.of());
            services.add(QuorumMember.class, this, Map.of());
        } catch (IOException | KafkaException e) {
            LOGGER.debug("raft could not start", e);
            faults.refuseStart(e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (Throwable e) {
            faults.fatal("raft manager")
                    .handleFault("raft could not start: metadataLogDir=" + config.metadataLogDir(), e);
        }
    }

    private Endpoints endpoints() throws IOException {
        BoundListeners bound = listeners;
        return bound == null ? Endpoints.empty() : QuorumEndpoints.of(bound);
    }
}
