package io.gregor.node;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.node.internal.AwaitedClasses;
import io.gregor.node.internal.NodeStart;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.osgi.framework.BundleContext;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the node on a thread of its own: configuration, identity, metrics, and the configurations of its roles, each a
 * service or a fact as soon as it is there. Owned by the thread of the service component runtime.
 */
@Component(
        immediate = true,
        service = {})
public final class Node {
    private static final Logger LOGGER = LoggerFactory.getLogger(Node.class);
    private static final long START_LIMIT_SECONDS = 30;

    private final AwaitedClasses classes = new AwaitedClasses();
    private final NodeStart start;
    private final Thread thread;

    /** Begins to start the node. The launcher's service ends the process with a status. */
    @Activate
    public Node(
            BundleContext context,
            @Reference ConfigurationAdmin configurations,
            @Reference(target = "(gregor.exit=true)") IntConsumer exit) {
        start = new NodeStart(context, configurations, classes, exit);
        thread = EngineThread.daemon("node-start", start);
        thread.start();
    }

    /** The start waits for it; what it has found stays when it leaves. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindClasses(PluginClasses came) {
        classes.came(came);
    }

    void unbindClasses(PluginClasses gone) {}

    @Deactivate
    void stop() throws InterruptedException {
        thread.join(TimeUnit.SECONDS.toMillis(START_LIMIT_SECONDS));
        if (thread.isAlive()) {
            LOGGER.error("the node's start does not end: thread={} waitedSeconds={}", thread, START_LIMIT_SECONDS);
        }
        EngineThread.run(start::close);
    }
}
