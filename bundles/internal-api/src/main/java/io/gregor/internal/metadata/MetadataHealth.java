package io.gregor.internal.metadata;

import java.util.Optional;
import org.apache.kafka.controller.metrics.ControllerMetadataMetrics;
import org.apache.kafka.server.fault.FaultHandler;
import org.apache.kafka.server.metrics.BrokerServerMetrics;

/**
 * Where faults of reading and applying metadata go: each is logged and counted in Kafka's metrics. A service of the metadata
 * bundle. Shared: any thread.
 */
public interface MetadataHealth {
    /** A record or snapshot could not be read. Fatal on a controller; no more snapshots are written. */
    FaultHandler loading();

    /** An image could not be applied by a publisher. Not fatal. */
    FaultHandler publishing();

    /** The first image could not be applied by the broker. Fatal. */
    FaultHandler firstPublishing();

    /** The controller cannot go on. Fatal; no more snapshots are written. */
    FaultHandler fatalController();

    /** An operation of the controller failed in a way that should not be. Not fatal. */
    FaultHandler controller();

    /** Kafka's metrics of the broker's metadata; of nodes with the broker role. */
    Optional<BrokerServerMetrics> brokerMetrics();

    /** Kafka's metrics of the controller's metadata; of nodes with the controller role. */
    Optional<ControllerMetadataMetrics> controllerMetrics();
}
