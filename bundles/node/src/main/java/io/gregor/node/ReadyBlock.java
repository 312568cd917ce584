package io.gregor.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.node.internal.NodeStart;
import io.gregor.node.internal.ReadyText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator, once, that every role of the node takes requests: where, how to try it, how to stop it. Shared: the
 * threads that register and withdraw the roles' services.
 */
@Component(
        immediate = true,
        service = {})
public final class ReadyBlock {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReadyBlock.class);

    private final NodeConfig config;
    private final ReadyText text;
    private final boolean hasConsole;
    private final long startedNs;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Set<Role> ready = EnumSet.noneOf(Role.class);

    @GuardedBy("lock")
    private final Map<Role, BoundListeners> bound = new EnumMap<>(Role.class);

    @GuardedBy("lock")
    private boolean isTold;

    /** Waits for the roles of this node. */
    @Activate
    public ReadyBlock(
            BundleContext context,
            @Reference Map.Entry<Map<String, Object>, NodeConfig> config,
            @Reference NodeIdentity identity) {
        this.config = config.getValue();
        Object started = config.getKey().get(NodeStart.STARTED_NS);
        startedNs = started instanceof Long ns ? ns : System.nanoTime();
        hasConsole = !"false".equals(context.getProperty("gregor.console"));
        String distribution = context.getProperty("gregor.dist");
        text = new ReadyText(this.config, identity, Path.of(distribution == null ? "" : distribution));
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindReady(RoleReady latch, Map<String, Object> properties) {
        synchronized (lock) {
            ready.add(role(properties));
        }
        tellWhenComplete();
    }

    void unbindReady(RoleReady latch, Map<String, Object> properties) {
        synchronized (lock) {
            ready.remove(role(properties));
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindBound(BoundListeners listeners, Map<String, Object> properties) {
        synchronized (lock) {
            bound.put(role(properties), listeners);
        }
        tellWhenComplete();
    }

    void unbindBound(BoundListeners listeners, Map<String, Object> properties) {
        synchronized (lock) {
            bound.remove(role(properties), listeners);
        }
    }

    private static Role role(Map<String, Object> properties) {
        return Role.of(String.valueOf(properties.get(Role.PROPERTY)));
    }

    private void tellWhenComplete() {
        String block;
        synchronized (lock) {
            if (isTold || !ready.containsAll(config.roles()) || !bound.keySet().containsAll(config.roles())) {
                return;
            }
            isTold = true;
            block = text.of(bound);
        }
        LOGGER.info(
                "node is ready: node={} tookMs={}",
                config.nodeId(),
                Duration.ofNanos(System.nanoTime() - startedNs).toMillis());
        if (hasConsole) {
            System.out.println(block);
        }
    }
}
