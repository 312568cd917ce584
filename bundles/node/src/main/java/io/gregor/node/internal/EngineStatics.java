package io.gregor.node.internal;

import com.yammer.metrics.core.MetricName;
import com.yammer.metrics.core.MetricsRegistry;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Kafka's libraries keep in static fields and would leave behind when a node ends but its process goes on: shutdown
 * hooks, metrics, and the wish to end the process. Shared: hooks come from any thread; the rest is called by the threads
 * that start and stop the node.
 */
final class EngineStatics {
    private static final Logger LOGGER = LoggerFactory.getLogger(EngineStatics.class);
    private static final String KAFKA_GROUPS = "kafka.";

    private final Queue<Runnable> hooks = new ConcurrentLinkedQueue<>();

    private EngineStatics() {}

    /** Takes over the libraries' hooks and their call to end the process. */
    static EngineStatics take(CleanEnd end) {
        EngineStatics statics = new EngineStatics();
        Exit.setShutdownHookAdder((name, hook) -> statics.hooks.add(hook));
        Exit.setExitProcedure((status, message) -> {
            LOGGER.error("a library asks to end the process: status={} reason={}", status, message);
            end.end(status);
        });
        return statics;
    }

    /** Removes the metrics of the node that ends, so that the next one does not find them in its place. */
    void release() {
        Exit.resetExitProcedure();
        MetricsRegistry registry = KafkaYammerMetrics.defaultRegistry();
        for (MetricName name : List.copyOf(registry.allMetrics().keySet())) {
            if (name.getGroup().startsWith(KAFKA_GROUPS)) {
                registry.removeMetric(name);
            }
        }
    }

    /** For the end of the framework, after which these classes are not used again: ends their threads, runs their hooks. */
    void releaseForGood() {
        KafkaYammerMetrics.defaultRegistry().shutdown();
        Runnable hook = hooks.poll();
        while (hook != null) {
            hook.run();
            hook = hooks.poll();
        }
        Exit.resetShutdownHookAdder();
    }
}
