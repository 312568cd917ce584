package io.gregor.handlers.admin;

import static java.util.Objects.requireNonNull;

import io.gregor.api.Request;
import io.gregor.handlers.admin.internal.ConfigKey;
import io.gregor.handlers.admin.internal.ConfigScreening;
import io.gregor.handlers.admin.internal.ConfigsRequest;
import io.gregor.handlers.admin.internal.Refusal;
import io.gregor.handlers.admin.internal.ResourceChange;
import io.gregor.internal.admin.LogLevelChanges;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.LogLevels;
import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes configurations for both APIs that do. Settings of this broker, and of all, are tried here before the controller
 * stores them, and the answer comes when they count; log levels are this process's own; all else goes to the controller, in
 * one request. Immutable.
 */
@Component(service = ConfigAlteration.class)
public final class ConfigAlteration {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfigAlteration.class);
    private static final String DOOR = "admin";

    private final NodeConfig config;
    private final Authorization authorization;
    private final Forwarding forwarding;
    private final LiveConfig live;
    private final LogLevels levels;

    /** Made by the service registry. */
    @Activate
    public ConfigAlteration(
            @Reference NodeConfig config,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference Forwarding forwarding,
            @Reference LiveConfig live,
            @Reference LogLevels levels) {
        this.config = config;
        this.authorization = authorization;
        this.forwarding = forwarding;
        this.live = live;
        this.levels = levels;
    }

    /** Carries a request out, and answers it when all of it has come about. */
    <R> void handle(Request request, ConfigsRequest<R> asked) {
        IdentityHashMap<R, CompletableFuture<ApiError>> outcomes = new IdentityHashMap<>();
        new ConfigScreening(config.nodeId(), () -> mayAlterCluster(request))
                .refused(asked)
                .forEach((resource, error) -> outcomes.put(resource, CompletableFuture.completedFuture(error)));
        List<R> others = new ArrayList<>();
        for (R resource : asked.resources()) {
            if (!outcomes.containsKey(resource)) {
                ResourceChange change = asked.change(resource);
                switch (change.type()) {
                    case BROKER -> outcomes.put(resource, changeBroker(request, asked, resource));
                    case BROKER_LOGGER ->
                        outcomes.put(
                                resource, CompletableFuture.completedFuture(changeLevels(change, asked.isDryRun())));
                    default -> others.add(resource);
                }
            }
        }
        if (!others.isEmpty()) {
            var stored = store(request, asked, others);
            others.forEach(
                    resource -> outcomes.put(resource, stored.thenApply(errors -> error(errors, asked, resource))));
        }
        answer(request, asked, outcomes);
    }

    private <R> void answer(
            Request request, ConfigsRequest<R> asked, IdentityHashMap<R, CompletableFuture<ApiError>> outcomes) {
        var unused = CompletableFuture.allOf(outcomes.values().toArray(CompletableFuture[]::new))
                .whenComplete((all, fault) -> {
                    if (fault == null) {
                        request.later(() -> request.respond(asked.response(resource ->
                                requireNonNull(outcomes.get(resource)).join())));
                    } else {
                        LOGGER.debug("closing a connection: changed configurations got no answer", fault);
                        request.closeConnection();
                    }
                });
    }

    private <R> CompletableFuture<ApiError> changeBroker(Request request, ConfigsRequest<R> asked, R resource) {
        Scope scope = asked.change(resource).key().name().isEmpty() ? Scope.CLUSTER : Scope.NODE;
        Map<String, @Nullable String> values;
        try {
            values = asked.values(resource, live.stored(scope));
        } catch (ApiException refused) {
            return CompletableFuture.completedFuture(ApiError.fromThrowable(refused));
        }
        String who = request.context().principal().toString();
        return live.change(new Proposal(who, DOOR, scope, values, asked.isDryRun()), () -> store(
                                request, asked, List.of(resource))
                        .handle((errors, fault) ->
                                fault == null ? error(errors, asked, resource) : ApiError.fromThrowable(fault)))
                .thenApply(LiveConfig.Outcome::error);
    }

    private ApiError changeLevels(ResourceChange change, boolean isDryRun) {
        return Refusal.of(() -> {
            LogLevelChanges.requireNode(change.key().name(), config.nodeId());
            LogLevelChanges.check(change.settings(), levels);
            if (!isDryRun) {
                LogLevelChanges.apply(change.settings(), levels);
                LOGGER.info("log levels changed: {}", change.settings());
            }
        });
    }

    /** Has the controller store resources in the client's name; fails if it does not know the version of the API. */
    private <R> CompletableFuture<Map<ConfigKey, ApiError>> store(
            Request request, ConfigsRequest<R> asked, Collection<R> resources) {
        CompletableFuture<Map<ConfigKey, ApiError>> stored = new CompletableFuture<>();
        forwarding.forward(
                request,
                asked.with(resources),
                response -> response.ifPresentOrElse(
                        answer -> stored.complete(asked.errors(answer)),
                        () -> stored.completeExceptionally(new UnsupportedVersionException(
                                "the controller does not know version=" + request.apiVersion() + " of the API"))));
        return stored;
    }

    private static <R> ApiError error(Map<ConfigKey, ApiError> errors, ConfigsRequest<R> asked, R resource) {
        ConfigKey key = asked.change(resource).key();
        ApiError error = errors.get(key);
        if (error == null) {
            LOGGER.error("controller left out a resource: resourceType={} resource={}", key.type(), key.name());
            return new ApiError(Errors.UNKNOWN_SERVER_ERROR);
        }
        return error;
    }

    private boolean mayAlterCluster(Request request) {
        return authorization.isAllowed(
                request.context(), AclOperation.ALTER_CONFIGS, ResourceType.CLUSTER, Resource.CLUSTER_NAME);
    }
}
