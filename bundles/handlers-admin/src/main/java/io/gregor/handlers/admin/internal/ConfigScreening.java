package io.gregor.handlers.admin.internal;

import io.gregor.internal.admin.SettingChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * What a broker refuses of changed configurations before anything is tried or sent to the controller: what is malformed, and
 * what is for another broker. Immutable; made for one request.
 */
public final class ConfigScreening {
    private final int nodeId;
    private final BooleanSupplier mayAlterCluster;

    /**
     * Screens for a broker.
     *
     * @param nodeId the broker's id
     * @param mayAlterCluster whether the client may alter the cluster's configuration
     */
    public ConfigScreening(int nodeId, BooleanSupplier mayAlterCluster) {
        this.nodeId = nodeId;
        this.mayAlterCluster = mayAlterCluster;
    }

    /** The resources that are refused, with the reason. */
    public <R> IdentityHashMap<R, ApiError> refused(ConfigsRequest<R> asked) {
        IdentityHashMap<R, ApiError> refused = new IdentityHashMap<>();
        Map<ConfigKey, R> seen = new HashMap<>();
        for (R resource : asked.resources()) {
            R earlier = seen.put(asked.change(resource).key(), resource);
            if (earlier != null) {
                ApiError twice = new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
                refused.put(earlier, twice);
                refused.put(resource, twice);
            }
        }
        for (R resource : asked.resources()) {
            if (!refused.containsKey(resource)) {
                ApiError error = Refusal.of(() -> check(asked.change(resource), asked.takesLogLevels()));
                if (error.isFailure()) {
                    refused.put(resource, error);
                }
            }
        }
        return refused;
    }

    private void check(ResourceChange change, boolean takesLogLevels) {
        checkSettings(change.settings());
        switch (change.type()) {
            case TOPIC, CLIENT_METRICS, GROUP -> {}
            case BROKER -> checkBroker(change.key().name());
            case BROKER_LOGGER -> {
                if (!takesLogLevels) {
                    throw unknown(change);
                }
                requireClusterPermission();
            }
            case UNKNOWN -> throw unknown(change);
        }
    }

    private static void checkSettings(List<SettingChange> settings) {
        Set<String> names = new HashSet<>();
        List<String> valueless = new ArrayList<>();
        for (SettingChange setting : settings) {
            if (!names.add(setting.key())) {
                throw new InvalidRequestException("Error due to duplicate config keys");
            }
            if (setting.value() == null && !setting.isDelete()) {
                valueless.add(setting.key());
            }
        }
        if (!valueless.isEmpty()) {
            throw new InvalidRequestException("Null value not supported for : " + String.join(", ", valueless));
        }
    }

    /** The empty name is the default of all brokers. */
    private void checkBroker(String name) {
        requireClusterPermission();
        if (name.isEmpty()) {
            return;
        }
        int id;
        try {
            id = Integer.parseInt(name);
        } catch (NumberFormatException notANumber) {
            throw new InvalidRequestException("Node id must be an integer, but it is: " + name, notANumber);
        }
        if (id != nodeId) {
            throw new InvalidRequestException("Unexpected broker id, expected " + nodeId + ", but received " + name);
        }
    }

    private void requireClusterPermission() {
        if (!mayAlterCluster.getAsBoolean()) {
            throw new ClusterAuthorizationException(Errors.CLUSTER_AUTHORIZATION_FAILED.message());
        }
    }

    private static InvalidRequestException unknown(ResourceChange change) {
        return new InvalidRequestException(
                "Unknown resource type " + change.key().type());
    }
}
