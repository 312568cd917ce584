package io.gregor.metadata;

import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.metadata.internal.FaultCount;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.controller.metrics.ControllerMetadataMetrics;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.metrics.BrokerServerMetrics;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Holds Kafka's metrics of the metadata and counts its faults in them. Shared: any thread. */
@Component(service = {MetadataHealth.class, CountedHealth.class})
public final class CountedHealth implements MetadataHealth {
    private final NodeFaults faults;
    private final boolean isController;
    private final Optional<BrokerServerMetrics> brokerMetrics;
    private final Optional<ControllerMetadataMetrics> controllerMetrics;
    private final AtomicReference<String> snapshotsDisabled = new AtomicReference<>();

    /** Registers the metrics of the node's roles. */
    @Activate
    public CountedHealth(@Reference NodeConfig config, @Reference NodeFaults faults, @Reference Metrics metrics) {
        this.faults = faults;
        isController = config.roles().contains(Role.CONTROLLER);
        brokerMetrics =
                config.roles().contains(Role.BROKER) ? Optional.of(new BrokerServerMetrics(metrics)) : Optional.empty();
        controllerMetrics = isController
                ? Optional.of(new ControllerMetadataMetrics(Optional.of(KafkaYammerMetrics.defaultRegistry())))
                : Optional.empty();
    }

    /** Takes the metrics away. */
    @Deactivate
    public void close() {
        controllerMetrics.ifPresent(metrics -> Utils.closeQuietly(metrics, "controller metadata metrics"));
        brokerMetrics.ifPresent(metrics -> Utils.closeQuietly(metrics, "broker metadata metrics"));
    }

    @Override
    public FaultHandler loading() {
        String component = "metadata loading";
        return new FaultCount(isController ? faults.fatal(component) : faults.nonFatal(component), () -> {
            brokerMetrics.ifPresent(metrics -> metrics.metadataLoadErrorCount().getAndIncrement());
            controllerError();
            snapshotsDisabled.compareAndSet(null, "metadata loading fault");
        });
    }

    @Override
    public FaultHandler publishing() {
        return new FaultCount(faults.nonFatal("metadata publishing"), () -> {
            brokerMetrics.ifPresent(metrics -> metrics.metadataApplyErrorCount().getAndIncrement());
            controllerError();
        });
    }

    @Override
    public FaultHandler firstPublishing() {
        return new FaultCount(faults.fatal("initial broker metadata loading"), () -> {
            brokerMetrics.ifPresent(metrics -> metrics.metadataApplyErrorCount().getAndIncrement());
            controllerError();
            snapshotsDisabled.compareAndSet(null, "initial broker metadata loading fault");
        });
    }

    @Override
    public FaultHandler fatalController() {
        return new FaultCount(faults.fatal("quorum controller"), () -> {
            controllerError();
            snapshotsDisabled.compareAndSet(null, "quorum controller fatal fault");
        });
    }

    @Override
    public FaultHandler controller() {
        return new FaultCount(faults.nonFatal("quorum controller"), this::controllerError);
    }

    @Override
    public Optional<BrokerServerMetrics> brokerMetrics() {
        return brokerMetrics;
    }

    @Override
    public Optional<ControllerMetadataMetrics> controllerMetrics() {
        return controllerMetrics;
    }

    /** Why no snapshots are written any more; holds null while they are. */
    AtomicReference<String> snapshotsDisabled() {
        return snapshotsDisabled;
    }

    /** Whether the voters of the static configuration are ignored, since the log has others. */
    void ignoredStaticVoters(boolean ignored) {
        brokerMetrics.ifPresent(metrics -> metrics.setIgnoredStaticVoters(ignored));
        controllerMetrics.ifPresent(metrics -> metrics.setIgnoredStaticVoters(ignored));
    }

    private void controllerError() {
        controllerMetrics.ifPresent(ControllerMetadataMetrics::incrementMetadataErrorCount);
    }
}
