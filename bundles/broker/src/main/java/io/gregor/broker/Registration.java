package io.gregor.broker;

import io.gregor.broker.internal.BrokerRegistrationForm;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.registration.AdvertisedListeners;
import io.gregor.internal.registration.RegistrationChannel;
import io.gregor.internal.storage.LogDirectories;
import io.gregor.internal.transport.BoundListeners;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.BrokerFeatures;
import org.apache.kafka.server.BrokerLifecycleManager;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this broker registered with the controller: registers with the bound listeners and the log directories, then sends
 * heartbeats until the node stops. It starts as soon as the ports are bound and the directories locked, while logs are
 * still recovered; until {@link #unfence} the broker stays fenced. Shared: any thread.
 *
 * <p>Listeners that are bound in place of others are registered under the same incarnation, if that has not been done before
 * they were shown here; it never makes the broker register anew.
 *
 * <pre>
 * registering ──▶ caught up, fenced ──unfence──▶ unfenced ──leave──▶ controlled shutdown ──▶ closed
 * </pre>
 */
@Component(
        configurationPid = Configurations.BROKER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = Registration.class)
public final class Registration {
    private static final Logger LOGGER = LoggerFactory.getLogger(Registration.class);
    /** As Kafka's broker waits for the controller to move its leaders away. */
    private static final long LEAVE_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(5);

    /**
     * The same when a part of this node has failed: another node's controller answers at once, and that of this node may
     * never do so.
     */
    private static final long BROKEN_LEAVE_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(5);

    private static final String STATE_GAUGE = "BrokerState";

    private final NodeConfig config;
    private final NodeIdentity identity;
    private final NodeFaults faults;
    private final MetadataFeed feed;
    private final AbstractKafkaConfig values;
    private final BrokerLifecycleManager lifecycle;
    private final LogDirectories directories;
    private final RegistrationChannel channel;
    private final CompletableFuture<Void> caughtUp;
    private final Runnable failureWatch;
    private final KafkaMetricsGroup metrics = new KafkaMetricsGroup("kafka.server", "KafkaServer");
    private volatile @Nullable BoundListeners bound;
    private volatile Runnable cordonWatch = () -> {};
    private volatile boolean isRegistered;
    private volatile boolean isStopping;

    /** Builds the parts. */
    @Activate
    public Registration(
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference ControllerChannels channels,
            @Reference MetadataFeed feed,
            @Reference(target = "(view=applied)") KRaftMetadataCache applied,
            @Reference LogDirectories directories) {
        this.config = config;
        this.identity = identity;
        this.faults = faults;
        this.feed = feed;
        this.values = config.values();
        this.directories = directories;
        this.channel = new RegistrationChannel(
                channels.channel("heartbeat", values.brokerHeartbeatIntervalMs()),
                new BrokerRegistrationForm(() -> directories.ids().values()));
        this.lifecycle = EngineThread.call(() -> new BrokerLifecycleManager(
                values,
                Time.SYSTEM,
                "broker-" + config.nodeId() + "-",
                directories.ids(),
                () -> faults.stop("failed log directories could not be reported to the controller in "
                        + ServerLogConfigs.LOG_DIR_FAILURE_TIMEOUT_MS_CONFIG + "=" + directoryFailureTimeoutMs()),
                () -> areCordonedDirectoriesKnown(applied)));
        this.caughtUp = lifecycle.initialCatchUpFuture().whenComplete((done, fault) -> registered(fault));
        this.failureWatch = directories.onFailure(
                directory -> lifecycle.propagateDirectoryFailure(directory, directoryFailureTimeoutMs()));
    }

    /** Where this broker is reached; the latest to come counts, the one before it leaves afterwards. */
    @Reference(target = "(role=broker)", policy = ReferencePolicy.DYNAMIC, policyOption = ReferencePolicyOption.GREEDY)
    void bindListeners(BoundListeners listeners) {
        bound = listeners;
        if (isRegistered) {
            catchUpWithListeners();
        }
    }

    /** What replaces it has come before. */
    void unbindListeners(BoundListeners listeners) {
        LOGGER.debug("listeners left: {}", listeners.advertised());
    }

    /** Starts to register. */
    @Activate
    void start() throws UnknownHostException {
        tellListeners();
        EngineThread.run(() -> lifecycle.start(
                feed::lastAppliedOffset,
                channel,
                identity.clusterId(),
                channel.listeners().toBrokerRegistrationRequest(),
                BrokerFeatures.createDefaultFeatureMap(BrokerFeatures.createDefault(
                        values.getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG))),
                directories.previousBrokerEpoch()));
        metrics.newGauge(STATE_GAUGE, () -> lifecycle.state().value());
    }

    /** The channel that registers again when the listeners change. */
    RegistrationChannel channel() {
        return channel;
    }

    /** Ends when the controller finds that this broker has caught up with the metadata; fails if it cannot register. */
    CompletableFuture<Void> caughtUp() {
        return caughtUp;
    }

    /** Asks to be unfenced; ends when it is. */
    CompletableFuture<Void> unfence() {
        return lifecycle.setReadyToUnfence();
    }

    /** The epoch of the registration; -1 before. */
    long epoch() {
        return lifecycle.brokerEpoch();
    }

    /** Registers again, with what the controller has to learn after a change of the metadata version. */
    void resend() {
        lifecycle.resendBrokerRegistration();
    }

    /** Waits until the controller has moved this broker's leaders to others, or there is no hope of it. */
    void leave() {
        isStopping = true;
        if (!values.getBoolean(ServerConfigs.CONTROLLED_SHUTDOWN_ENABLE_CONFIG)) {
            return;
        }
        lifecycle.beginControlledShutdown();
        CompletableFuture<Void> left = lifecycle.controlledShutdownFuture().copy();
        left.orTimeout(LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        faults.broken().thenRun(() -> left.orTimeout(BROKEN_LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS));
        try {
            left.get();
        } catch (ExecutionException fault) {
            if (fault.getCause() instanceof TimeoutException) {
                LOGGER.error("controlled shutdown timed out, stopping without it");
            } else {
                LOGGER.error("controlled shutdown failed, stopping without it", fault);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the heartbeats. */
    @Deactivate
    void stop() {
        isStopping = true;
        metrics.removeMetric(STATE_GAUGE);
        failureWatch.run();
        cordonWatch.run();
        keepEpoch();
        lifecycle.beginShutdown();
        try {
            lifecycle.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void registered(@Nullable Throwable fault) {
        keepEpoch();
        if (fault == null) {
            isRegistered = true;
            cordonWatch = directories.onCordoned(lifecycle::propagateDirectoryCordoned);
            catchUpWithListeners();
        } else if (!isStopping) {
            faults.refuseStart("broker could not be registered with the controllers in "
                    + KRaftConfigs.INITIAL_BROKER_REGISTRATION_TIMEOUT_MS_CONFIG + "="
                    + values.initialRegistrationTimeoutMs()
                    + ": the log has their answers; if there are none, check that they can be reached");
        }
    }

    private void tellListeners() throws UnknownHostException {
        BoundListeners latest = Objects.requireNonNull(bound, "the reference is mandatory");
        channel.listeners(AdvertisedListeners.of(
                latest.advertised(), Optional.of(config.interBrokerListener().value())));
    }

    /** Registers the listeners that came while the first registration was on its way. */
    private void catchUpWithListeners() {
        try {
            tellListeners();
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

    private void keepEpoch() {
        long epoch = epoch();
        if (epoch >= 0) {
            directories.brokerEpoch(epoch);
        }
    }

    private long directoryFailureTimeoutMs() {
        return values.getLong(ServerLogConfigs.LOG_DIR_FAILURE_TIMEOUT_MS_CONFIG);
    }

    /** Before the first image nothing is known of the metadata version. */
    private static boolean areCordonedDirectoriesKnown(KRaftMetadataCache applied) {
        return applied.currentImage()
                .features()
                .metadataVersion()
                .map(MetadataVersion::isCordonedLogDirsSupported)
                .orElse(false);
    }
}
