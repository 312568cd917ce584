package io.gregor.controller.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * The changes of settings in one request, by resource, without those that are refused here. Owned by one request.
 *
 * @param <C> the change of one resource
 */
public final class ConfigChanges<C> {
    /**
     * What came of the change of one resource.
     *
     * @param type the number of the resource's type as the client gave it
     * @param name the resource's name
     * @param error the outcome
     */
    public record Outcome(byte type, String name, ApiError error) {
        /** The outcome for a resource. */
        public static Outcome of(ConfigResource resource, ApiError error) {
            return new Outcome(resource.type().id(), resource.name(), error);
        }
    }

    private final Map<ConfigResource, C> accepted = new HashMap<>();
    private final Set<ConfigResource> repeated = new HashSet<>();
    private final List<Outcome> refused = new ArrayList<>();

    /** Adds a change; a resource of unknown type and one that comes twice are refused. */
    public void add(byte type, String name, C change) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.forId(type), name);
        if (resource.type() == ConfigResource.Type.UNKNOWN) {
            String message = "Unknown resource type " + type + ".";
            refused.add(new Outcome(type, name, new ApiError(Errors.UNSUPPORTED_VERSION, message)));
        } else if (!repeated.contains(resource) && accepted.put(resource, change) != null) {
            repeated.add(resource);
            accepted.remove(resource);
            refused.add(Outcome.of(resource, new ApiError(Errors.INVALID_REQUEST, "Duplicate resource.")));
        }
    }

    /** Refuses the changes that the check has an error for. */
    public void check(Function<ConfigResource, ApiError> check) {
        for (Iterator<ConfigResource> next = accepted.keySet().iterator(); next.hasNext(); ) {
            ConfigResource resource = next.next();
            ApiError error = check.apply(resource);
            if (error.isFailure()) {
                refused.add(Outcome.of(resource, error));
                next.remove();
            }
        }
    }

    /** What is left to be done. */
    public Map<ConfigResource, C> accepted() {
        return accepted;
    }

    /** What was refused, and then what the controller made of the rest. */
    public List<Outcome> outcomes(Map<ConfigResource, ApiError> done) {
        List<Outcome> all = new ArrayList<>(refused);
        done.forEach((resource, error) -> all.add(Outcome.of(resource, error)));
        return all;
    }
}
