package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.controller.internal.ConfigChanges;
import io.gregor.controller.internal.ConfigRights;
import io.gregor.internal.admin.LogLevelChanges;
import io.gregor.internal.admin.SettingChange;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.LogLevels;
import io.gregor.internal.node.NodeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes configurations for both APIs that do. What a client of this listener changes of this node, or of all, is tried here
 * before the controller stores it; what a broker forwards has been tried by that broker, and other nodes see for themselves.
 * Immutable.
 */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = ConfigAlteration.class)
public final class ConfigAlteration {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfigAlteration.class);
    private static final String DOOR = "admin";

    /** What differs between the two APIs. */
    interface Api<C> {
        /** Has the controller store changes, or only validate them. */
        CompletableFuture<Map<ConfigResource, ApiError>> store(Map<ConfigResource, C> changes);

        /** The new value of each setting of a broker that changes, null for what is deleted. */
        Map<String, @Nullable String> values(C change, Map<String, String> stored);
    }

    private final ControllerCalls calls;
    private final String nodeId;
    private final LiveConfig live;
    private final LogLevels levels;

    /** Asks the controller through these calls. */
    @Activate
    public ConfigAlteration(
            @Reference ControllerCalls calls,
            @Reference NodeConfig config,
            @Reference LiveConfig live,
            @Reference LogLevels levels) {
        this.calls = calls;
        this.nodeId = Integer.toString(config.nodeId());
        this.live = live;
        this.levels = levels;
    }

    ControllerCalls calls() {
        return calls;
    }

    /** Carries changes out, without those that the client may not make; ends when all of them have come about. */
    <C> CompletableFuture<List<ConfigChanges.Outcome>> alter(
            Request request, ConfigChanges<C> changes, boolean isDryRun, Api<C> api) {
        changes.check(new ConfigRights(calls.authorization(), request.context())::check);
        boolean isTriedHere =
                !ControllerCalls.isForwarded(request) && calls.controller().isActive();
        Map<ConfigResource, C> others = new HashMap<>();
        Map<ConfigResource, CompletableFuture<ApiError>> tried = new HashMap<>();
        changes.accepted().forEach((resource, change) -> {
            if (isTriedHere && isOwn(resource)) {
                tried.put(resource, tryFirst(request, resource, change, isDryRun, api));
            } else {
                others.put(resource, change);
            }
        });
        CompletableFuture<Map<ConfigResource, ApiError>> stored =
                others.isEmpty() && !tried.isEmpty() ? CompletableFuture.completedFuture(Map.of()) : api.store(others);
        return CompletableFuture.allOf(tried.values().toArray(CompletableFuture[]::new))
                .thenCombine(stored, (nothing, errors) -> {
                    Map<ConfigResource, ApiError> all = new HashMap<>(errors);
                    tried.forEach((resource, error) -> all.put(resource, error.join()));
                    return changes.outcomes(all);
                });
    }

    /** Changes log levels of this node, or says why not. */
    ConfigChanges.Outcome alterLoggers(
            Request request, ConfigResource resource, List<SettingChange> changes, boolean isDryRun) {
        return ConfigChanges.Outcome.of(resource, changeLevels(request, resource.name(), changes, isDryRun));
    }

    private boolean isOwn(ConfigResource resource) {
        return resource.type() == ConfigResource.Type.BROKER
                && (resource.name().isEmpty() || resource.name().equals(nodeId));
    }

    private <C> CompletableFuture<ApiError> tryFirst(
            Request request, ConfigResource resource, C change, boolean isDryRun, Api<C> api) {
        Scope scope = resource.name().isEmpty() ? Scope.CLUSTER : Scope.NODE;
        Map<String, @Nullable String> values;
        try {
            values = api.values(change, live.stored(scope));
        } catch (ApiException refused) {
            return CompletableFuture.completedFuture(ApiError.fromThrowable(refused));
        }
        String who = request.context().principal().toString();
        return live.change(new Proposal(who, DOOR, scope, values, isDryRun), () -> api.store(Map.of(resource, change))
                        .handle((errors, fault) -> fault == null
                                ? errors.getOrDefault(resource, new ApiError(Errors.UNKNOWN_SERVER_ERROR))
                                : ApiError.fromThrowable(fault)))
                .thenApply(LiveConfig.Outcome::error);
    }

    private ApiError changeLevels(Request request, String node, List<SettingChange> changes, boolean isDryRun) {
        if (!calls.authorization()
                .isAllowed(
                        request.context(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            return new ApiError(Errors.CLUSTER_AUTHORIZATION_FAILED);
        }
        try {
            LogLevelChanges.requireNode(node, Integer.parseInt(nodeId));
            LogLevelChanges.check(changes, levels);
            if (!isDryRun) {
                LogLevelChanges.apply(changes, levels);
                LOGGER.info("log levels changed: {}", changes);
            }
            return ApiError.NONE;
        } catch (ApiException refused) {
            return ApiError.fromThrowable(refused);
        }
    }
}
