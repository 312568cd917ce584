package io.gregor.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.Announcement;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.internal.storage.Logs;
import io.gregor.internal.storage.RemoteLogs;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.storage.internal.RemoteLogStore;
import java.io.IOException;
import java.util.Objects;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Utils;
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
 * Remote storage as a component, there only with {@code remote.log.storage.system.enable=true}: makes the plugins and Kafka's
 * remote log manager on a thread of its own, since plugins may take time, then offers {@link RemoteLogs}; tells the metadata
 * plugin when the broker takes requests. Shared: DS, and the thread that starts it.
 */
@Component(
        configurationPid = Configurations.REMOTE_STORAGE,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = {})
public final class TieredStorage {
    private static final Logger LOGGER = LoggerFactory.getLogger(TieredStorage.class);
    private static final long START_LIMIT_MS = 30_000;

    private final BundleContext context;
    private final NodeConfig config;
    private final NodeIdentity identity;
    private final NodeFaults faults;
    private final Metrics metrics;
    private final Logs logs;
    private final LiveRemoteSettings settings;
    private final Thread starter;
    private volatile PluginClasses classes = Utils.class::getClassLoader;
    private volatile @Nullable BoundListeners bound;

    @GuardedBy("this")
    private @Nullable RemoteLogStore remote;

    @GuardedBy("this")
    private @Nullable Announcement<RemoteLogs> announcement;

    @GuardedBy("this")
    private boolean isBrokerReady;

    /** Keeps what it is made from. */
    @Activate
    public TieredStorage(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference Metrics metrics,
            @Reference Logs logs,
            @Reference LiveRemoteSettings settings) {
        this.context = context;
        this.config = config;
        this.identity = identity;
        this.faults = faults;
        this.metrics = metrics;
        this.logs = logs;
        this.settings = settings;
        this.starter = EngineThread.daemon("remote-log-startup", this::start);
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

    /** Where the clients of the metadata's topic reach this node. */
    @Reference(target = "(role=broker)", policy = ReferencePolicy.DYNAMIC)
    void bindListeners(BoundListeners came) {
        bound = came;
    }

    void unbindListeners(BoundListeners gone) {}

    /** The broker takes requests from now on, its own clients' too. */
    @Reference(target = "(role=broker)", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindReady(RoleReady ready) {
        RemoteLogStore made;
        synchronized (this) {
            isBrokerReady = true;
            made = remote;
        }
        if (made != null) {
            tellReady(made);
        }
    }

    void unbindReady(RoleReady gone) {}

    /** Starts the thread that starts it. */
    @Activate
    void activate() {
        starter.start();
    }

    /** Withdraws the services, then ends what is under way and closes the plugins. */
    @Deactivate
    void close() {
        Utils.swallow(LOGGER, () -> starter.join(START_LIMIT_MS));
        RemoteLogStore made;
        Announcement<RemoteLogs> announced;
        synchronized (this) {
            made = remote;
            announced = announcement;
        }
        if (announced != null) {
            announced.close();
        }
        settings.leave();
        if (made != null) {
            EngineThread.run(made::close);
        }
    }

    private void start() {
        RemoteLogStore made;
        try {
            made = new RemoteLogStore(
                    config,
                    identity.clusterId(),
                    logs,
                    metrics,
                    Objects.requireNonNull(bound, "the reference is mandatory"),
                    classes.loader());
        } catch (IOException | RuntimeException | LinkageError e) {
            LOGGER.debug("remote storage could not start", e);
            faults.refuseStart(
                    "remote.log.storage.system.enable=true, and remote storage cannot be used: " + reason(e));
            return;
        }
        Announcement<RemoteLogs> announced = new Announcement<>(context, Role.BROKER, RemoteLogs.class, made);
        settings.serve(made, config);
        boolean isReady;
        synchronized (this) {
            isReady = isBrokerReady;
            remote = made;
            announcement = announced;
        }
        announced.publish();
        if (isReady) {
            tellReady(made);
        }
    }

    private static void tellReady(RemoteLogStore made) {
        EngineThread.daemon("remote-log-ready", made::onBrokerReady).start();
    }

    private static String reason(Throwable fault) {
        Throwable root = fault;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
