package io.gregor.handlers.cluster.internal;

import io.gregor.internal.dispatch.ServedApis;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * What is served without the APIs that clients push their metrics with: they are offered only while somebody receives them,
 * and answered all the same. Immutable.
 *
 * @param served all that is served
 * @param rest the same without those; the same object as long as {@code served} is
 */
public record WithoutTelemetry(ServedApis.Snapshot served, ServedApis.Snapshot rest) {
    /** Takes them out. */
    public static WithoutTelemetry of(ServedApis.Snapshot served) {
        ApiVersionCollection rest = new ApiVersionCollection();
        for (ApiVersion api : served.apis()) {
            if (api.apiKey() != ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS.id && api.apiKey() != ApiKeys.PUSH_TELEMETRY.id) {
                rest.add(api.duplicate());
            }
        }
        return new WithoutTelemetry(
                served, rest.size() == served.apis().size() ? served : new ServedApis.Snapshot(rest));
    }
}
