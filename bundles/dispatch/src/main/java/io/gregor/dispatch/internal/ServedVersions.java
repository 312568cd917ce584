package io.gregor.dispatch.internal;

import java.util.Optional;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Which of Kafka's API keys the listeners of a role have, in which versions. Immutable.
 *
 * @param listeners whose keys
 * @param withUnstable whether versions that Kafka has not settled yet are among them
 */
record ServedVersions(ListenerType listeners, boolean withUnstable) {
    /** What ApiVersions tells of a key; empty if these listeners do not have it. */
    Optional<ApiVersion> of(short key) {
        if (!ApiKeys.hasId(key) || !ApiKeys.forId(key).inScope(listeners)) {
            return Optional.empty();
        }
        return ApiKeys.forId(key).toApiVersionForApiResponse(withUnstable, listeners);
    }
}
