package io.gregor.controller;

import io.gregor.internal.node.Configurations;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;

/** How many changes of ACLs wait until they count, shown as the purgatory in which Kafka keeps them. Shared: any thread. */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = WaitingAclChanges.class)
public final class WaitingAclChanges {
    private static final Map<String, String> TAGS = Map.of("delayedOperation", "AlterAcls");
    private static final String[] NAMES = {"PurgatorySize", "NumDelayedOperations"};

    private final AtomicInteger waiting = new AtomicInteger();
    private final KafkaMetricsGroup metrics = new KafkaMetricsGroup("kafka.server", "DelayedOperationPurgatory");

    /** Nothing waits yet. */
    @Activate
    public WaitingAclChanges() {
        for (String name : NAMES) {
            metrics.newGauge(name, waiting::get, TAGS);
        }
    }

    @Deactivate
    void deactivate() {
        for (String name : NAMES) {
            metrics.removeMetric(name, TAGS);
        }
    }

    /** Counts a change until it ends. */
    <T> CompletionStage<T> count(CompletionStage<T> change) {
        waiting.incrementAndGet();
        return change.whenComplete((result, fault) -> waiting.decrementAndGet());
    }
}
