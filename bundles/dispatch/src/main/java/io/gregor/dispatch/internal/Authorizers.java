package io.gregor.dispatch.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.plugin.NamedService;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.metadata.authorizer.ClusterMetadataAuthorizer;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.config.ServerConfigs;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the authorizers that come, and lets go of those that leave. Shared: any thread. */
public final class Authorizers {
    private static final Logger LOGGER = LoggerFactory.getLogger(Authorizers.class);

    /** Below the time that SCR waits for a component that is being changed. */
    private static final Duration LIMIT = Duration.ofSeconds(4);

    private final NodeConfig config;
    private final NodeServerInfo server;
    private final Authorizer closed;
    private final AuthorizerChoice choice;
    private final BooleanSupplier isNodeStopping;
    private final AuthorizerFigures figures;

    private Authorizers(
            NodeConfig config,
            NodeServerInfo server,
            Authorizer closed,
            Metrics metrics,
            BooleanSupplier isNodeStopping) {
        this.config = config;
        this.isNodeStopping = isNodeStopping;
        this.server = server;
        this.closed = closed;
        this.figures = new AuthorizerFigures(metrics, config.roles());
        this.choice = new AuthorizerChoice(
                NamedService.of(config.values(), ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG)
                        .isConfigured(),
                closed,
                metrics);
    }

    /** Of a node, before any has come. */
    public static Authorizers of(
            NodeConfig config,
            NodeIdentity identity,
            NodeFaults faults,
            Metrics metrics,
            BooleanSupplier isNodeStopping) {
        return new Authorizers(
                config, NodeServerInfo.of(config, identity), superUsersOnly(config, faults), metrics, isNodeStopping);
    }

    private static Authorizer superUsersOnly(NodeConfig config, NodeFaults faults) {
        Set<String> controllerListeners = new HashSet<>();
        config.controllerListeners().stream().map(ListenerName::value).forEach(controllerListeners::add);
        Object superUsers = config.values().originals().get(StandardAuthorizer.SUPER_USERS_CONFIG);
        try {
            return SuperUsersOnly.of(superUsers, controllerListeners);
        } catch (IllegalArgumentException fault) {
            faults.refuseStart(StandardAuthorizer.SUPER_USERS_CONFIG + "=" + superUsers
                    + " must be principals with semicolons, for example User:alice;User:bob: " + fault.getMessage());
            return SuperUsersOnly.of(null, controllerListeners);
        }
    }

    /** Who decides. */
    public AuthorizerChoice choice() {
        return choice;
    }

    /**
     * Starts one that has come. It waits a little for one that takes the place of a ready one; not for one that gets its ACLs
     * from the metadata, which may be given them by this very thread, later.
     */
    public void add(ServiceReference<Authorizer> reference, Authorizer authorizer) {
        StartedAuthorizer started = new StartedAuthorizer(authorizer, closed, choice::successor);
        BundleAuthorizer coming = BundleAuthorizer.of(reference, started);
        begin(reference, authorizer, started);
        if (!(authorizer instanceof ClusterMetadataAuthorizer)
                && choice.formerOf(coming).isPresent()) {
            started.awaitReady(LIMIT);
        }
        choice.add(coming);
    }

    private void begin(ServiceReference<Authorizer> reference, Authorizer authorizer, StartedAuthorizer started) {
        try {
            NamedService.configure(reference, authorizer, config.values());
        } catch (RuntimeException | LinkageError fault) {
            LOGGER.error("authorizer does not take the node's values and will not be ready: {}", started.name(), fault);
            return;
        }
        figures.begin(authorizer);
        started.begin(server, choice::changed);
    }

    /** The properties of one have changed. */
    public void change(ServiceReference<Authorizer> reference) {
        choice.changed(reference);
    }

    /**
     * One leaves; returns when no thread is inside it. When the whole node stops it decides to the end: who is served until
     * then must not be told that he may not do what he may.
     */
    public void remove(ServiceReference<Authorizer> reference) {
        if (isNodeStopping.getAsBoolean()) {
            return;
        }
        choice.remove(reference).ifPresent(leaving -> {
            if (!leaving.started().leave(LIMIT)) {
                LOGGER.warn(
                        "authorizer left while a thread was still in it: {}",
                        leaving.started().name());
            }
            figures.end(leaving.started().authorizer());
        });
    }

    /** A bundle is uninstalled. */
    public void uninstalled(long bundleId) {
        choice.uninstalled(bundleId);
    }
}
