package io.gregor.handlers.admin.internal;

import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.jspecify.annotations.Nullable;

/**
 * A request to change configurations, whichever of the two APIs it is of. Immutable.
 *
 * @param <R> the resource of the API; told apart by identity, since the same one may stand in a request twice
 */
public interface ConfigsRequest<R> {
    /** The resources, in the order of the request. */
    Collection<R> resources();

    /** Whether everything is validated and nothing stored. */
    boolean isDryRun();

    /** Whether the API knows log levels. */
    boolean takesLogLevels();

    /** The change of a resource. */
    ResourceChange change(R resource);

    /**
     * The new value of each setting of a broker that changes, null for what is deleted.
     *
     * @param stored what is stored for the broker, or for all, now
     * @throws org.apache.kafka.common.errors.ApiException if the settings do not have the operations of the request
     */
    Map<String, @Nullable String> values(R resource, Map<String, String> stored);

    /** The same request with some of its resources only. */
    AbstractRequest with(Collection<R> resources);

    /** What a controller has answered to such a request. */
    Map<ConfigKey, ApiError> errors(AbstractResponse response);

    /** The answer. */
    AbstractResponse response(Function<R, ApiError> outcome);
}
