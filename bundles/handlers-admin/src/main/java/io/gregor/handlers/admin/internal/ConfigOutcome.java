package io.gregor.handlers.admin.internal;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of each resource of a request: refused here, or open until the controller has answered. Owned by the thread
 * that has the request in hand.
 *
 * @param <R> the resource of the API; told apart by identity, since the same one may stand in a request twice
 */
public final class ConfigOutcome<R> {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfigOutcome.class);

    private final IdentityHashMap<R, ApiError> refused = new IdentityHashMap<>();
    private final Map<ConfigKey, ApiError> stored = new HashMap<>();

    void refuse(R resource, ApiError reason) {
        refused.put(resource, reason);
    }

    /** Whether the controller decides about the resource. */
    public boolean isOpen(R resource) {
        return !refused.containsKey(resource);
    }

    /** Adds an answer of the controller. */
    public void stored(ConfigKey resource, short errorCode, @Nullable String errorMessage) {
        stored.put(resource, new ApiError(Errors.forCode(errorCode), errorMessage));
    }

    /** What became of a resource. */
    public ApiError of(R resource, ConfigKey key) {
        ApiError refusal = refused.get(resource);
        if (refusal != null) {
            return refusal;
        }
        ApiError answer = stored.get(key);
        if (answer == null) {
            LOGGER.error("controller left out a resource resourceType={} resource={}", key.type(), key.name());
            return new ApiError(Errors.UNKNOWN_SERVER_ERROR);
        }
        return answer;
    }
}
