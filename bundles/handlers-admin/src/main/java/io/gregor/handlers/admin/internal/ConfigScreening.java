package io.gregor.handlers.admin.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * What a broker decides about changed configurations before the rest goes to the controller: malformed ones are refused,
 * and so are those that only this broker could apply. Immutable; made for one request.
 */
public final class ConfigScreening {
    /**
     * One resource of a request.
     *
     * @param type the resource type's number
     * @param name the resource's name
     * @param keys the names of the changed settings, repeated as in the request
     * @param valueless those of them that have no value although their operation needs one
     */
    public record Change(byte type, String name, List<String> keys, List<String> valueless) {}

    private final int nodeId;
    private final boolean takesLogLevels;
    private final BooleanSupplier mayAlterCluster;

    /**
     * Screens for a broker.
     *
     * @param nodeId the broker's id
     * @param takesLogLevels whether the API knows log levels
     * @param mayAlterCluster whether the client may alter the cluster's configuration
     */
    public ConfigScreening(int nodeId, boolean takesLogLevels, BooleanSupplier mayAlterCluster) {
        this.nodeId = nodeId;
        this.takesLogLevels = takesLogLevels;
        this.mayAlterCluster = mayAlterCluster;
    }

    /** Looks at all resources of a request; those that are not refused are left open, for the controller. */
    public <R> ConfigOutcome<R> screen(Iterable<R> resources, Function<R, Change> view) {
        ConfigOutcome<R> outcome = new ConfigOutcome<>();
        Map<ConfigKey, R> seen = new HashMap<>();
        for (R resource : resources) {
            Change change = view.apply(resource);
            R earlier = seen.put(new ConfigKey(change.type, change.name), resource);
            if (earlier != null) {
                ApiError twice = new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
                outcome.refuse(earlier, twice);
                outcome.refuse(resource, twice);
            }
        }
        for (R resource : resources) {
            if (outcome.isOpen(resource)) {
                try {
                    check(view.apply(resource));
                } catch (ApiException reason) {
                    outcome.refuse(resource, ApiError.fromThrowable(reason));
                }
            }
        }
        return outcome;
    }

    private void check(Change change) {
        Set<String> names = new HashSet<>();
        if (!change.keys.stream().allMatch(names::add)) {
            throw new InvalidRequestException("Error due to duplicate config keys");
        }
        if (!change.valueless.isEmpty()) {
            throw new InvalidRequestException("Null value not supported for : " + String.join(", ", change.valueless));
        }
        ConfigResource.Type type = ConfigResource.Type.forId(change.type);
        switch (type) {
            case TOPIC, CLIENT_METRICS, GROUP -> {}
            case BROKER -> throw brokerRefusal(change);
            case BROKER_LOGGER -> throw takesLogLevels ? loggerRefusal(change) : unknown(change);
            case UNKNOWN -> throw unknown(change);
        }
    }

    private ApiException brokerRefusal(Change change) {
        requireClusterPermission();
        if (!change.name.isEmpty()) {
            requireThisNode(change.name);
        }
        return new InvalidRequestException("dynamic broker configuration is not available yet: broker="
                + (change.name.isEmpty() ? "<default>" : change.name) + " keys=" + sorted(change.keys)
                + ", set them in server.properties and start the broker again");
    }

    private ApiException loggerRefusal(Change change) {
        requireClusterPermission();
        requireThisNode(change.name);
        return new InvalidRequestException("log levels cannot be changed while the broker runs yet: broker="
                + change.name + " loggers=" + sorted(change.keys) + ", set them in the logging configuration");
    }

    private void requireClusterPermission() {
        if (!mayAlterCluster.getAsBoolean()) {
            throw new ClusterAuthorizationException(Errors.CLUSTER_AUTHORIZATION_FAILED.message());
        }
    }

    private void requireThisNode(String name) {
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

    private static InvalidRequestException unknown(Change change) {
        return new InvalidRequestException("Unknown resource type " + change.type);
    }

    private static List<String> sorted(List<String> keys) {
        List<String> sorted = new ArrayList<>(keys);
        sorted.sort(null);
        return sorted;
    }
}
