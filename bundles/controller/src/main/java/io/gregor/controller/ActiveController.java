package io.gregor.controller;

import io.gregor.api.RequestHandler;
import io.gregor.controller.internal.ControllerDoor;
import io.gregor.controller.internal.ControllerNeeds;
import io.gregor.controller.internal.RunningController;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.metadata.MetadataHealth;
import io.gregor.internal.metadata.QuorumMember;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.transport.BoundListeners;
import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.raft.RaftManager;
import org.apache.kafka.security.CredentialProvider;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
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
 * Runs Kafka's quorum controller: active while this node leads the quorum, standby otherwise. Starts it on a thread of its
 * own and shows by the service Controller that it runs; opens the role's doors when all its handlers are there. Owned by the
 * component runtime.
 *
 * <p>When the node stops it leaves the quorum first, as Kafka does, while the handlers still tell brokers that this is not
 * the controller any more. For that it has to be the first component of the bundle to be deactivated: the runtime takes
 * them in the order of their names.
 */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = {})
public final class ActiveController {
    private static final Logger LOGGER = LoggerFactory.getLogger(ActiveController.class);
    private static final long START_LIMIT_MS = 30_000;

    private final BundleContext context;
    private final NodeFaults faults;
    private final QuorumMember quorum;
    private final ControllerNeeds needs;
    private final Thread starter;
    private final ControllerDoor door;
    private volatile List<Endpoint> advertised = List.of();
    private volatile @Nullable RunningController running;
    private volatile @Nullable ServiceRegistration<Controller> service;

    /** Keeps what the controller is built from. */
    @Activate
    public ActiveController(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference MetadataHealth health,
            @Reference MetadataFeed feed,
            @Reference ControllerChannels channels,
            @Reference QuorumMember quorum,
            @Reference RaftManager<ApiMessageAndVersion> raft,
            @Reference CredentialProvider credentials,
            @Reference LiveTopicDefaults topicDefaults,
            @Reference PolicyServices policies) {
        this.context = context;
        this.faults = faults;
        this.quorum = quorum;
        needs = new ControllerNeeds(
                config,
                identity,
                health,
                feed,
                channels,
                raft.client(),
                credentials.tokenCache,
                topicDefaults::current,
                policies.policies());
        door = new ControllerDoor(context);
        starter = EngineThread.daemon("controller-" + config.nodeId() + "-startup", this::start);
    }

    /** The controller's bound ports, registered with the active controller; the latest to come count. */
    @Reference(
            target = "(role=controller)",
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindListeners(BoundListeners bound) {
        advertised = bound.advertised();
        RunningController registering = running;
        if (registering != null) {
            registering.bound(advertised);
        }
    }

    /** What replaces it has come before. */
    void unbindListeners(BoundListeners bound) {
        LOGGER.debug("controller listeners left: {}", bound.advertised());
    }

    /** A handler of the controller's listener; the last of those that must be there opens the door. */
    @Reference(
            service = RequestHandler.class,
            target = "(role=controller)",
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC)
    void bindHandler(ServiceReference<RequestHandler> handler) {
        door.handlerCame(handler.getProperty("api.key"));
    }

    /** A leaving handler is waited for by dispatch. */
    void unbindHandler(ServiceReference<RequestHandler> handler) {
        LOGGER.debug("handler left: {}", handler);
    }

    /** Starts the thread that starts the controller. */
    @Activate
    void activate() {
        starter.start();
    }

    /** Leaves the quorum if the node stops, then ends the controller. */
    @Deactivate
    void deactivate() {
        Utils.swallow(LOGGER, () -> starter.join(START_LIMIT_MS));
        if (isNodeStopping()) {
            quorum.leave();
        }
        RunningController ending = running;
        if (ending != null) {
            ending.letGo();
        }
        door.close();
        ServiceRegistration<Controller> registered = service;
        if (registered != null) {
            registered.unregister();
        }
        if (ending != null) {
            ending.close();
        }
    }

    private void start() {
        try {
            RunningController started = new RunningController(context, needs, advertised);
            running = started;
            started.bound(advertised);
            started.start();
            service = context.registerService(Controller.class, started.controller(), null);
        } catch (KafkaException e) {
            LOGGER.debug("controller could not start", e);
            faults.refuseStart(e.getMessage() == null ? e.toString() : e.getMessage());
        } catch (Throwable e) {
            needs.health().fatalController().handleFault("controller could not start", e);
        }
    }

    private boolean isNodeStopping() {
        return context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == Bundle.STOPPING;
    }
}
