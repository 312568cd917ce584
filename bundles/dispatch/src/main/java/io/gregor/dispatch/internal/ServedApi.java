package io.gregor.dispatch.internal;

import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * Immutable. An API key with the handler that serves it.
 *
 * @param key the API key
 * @param kafkaApi Kafka's API of that key; null for a new key
 * @param minVersion the oldest version that is taken
 * @param maxVersion the newest version that is taken
 * @param advertisedMinVersion the oldest version in ApiVersions, which for Produce is older than what is taken
 * @param handler who serves it; null while there is nobody
 * @param trial who serves a share of the connections instead; null if nobody does
 * @param waiting where its requests wait while there is no handler; null if there is one
 * @param filters who sees its requests before; null if nobody does
 * @param others how many more services stand behind the handler
 */
record ServedApi(
        short key,
        @Nullable ApiKeys kafkaApi,
        short minVersion,
        short maxVersion,
        short advertisedMinVersion,
        @Nullable BoundHandler handler,
        @Nullable TrialHandler trial,
        @Nullable WaitingRequests waiting,
        @Nullable FilterChain filters,
        int others) {

    /** Whether a request of this version is taken; ApiVersions passes in any version, as its answer tells which. */
    boolean takes(short version) {
        return (version >= minVersion && version <= maxVersion) || kafkaApi == ApiKeys.API_VERSIONS;
    }

    /** The same with a handler on trial. */
    ServedApi withTrial(TrialHandler tried) {
        return new ServedApi(
                key, kafkaApi, minVersion, maxVersion, advertisedMinVersion, handler, tried, null, filters, others);
    }

    /** The same without handlers. */
    ServedApi withoutHandler(WaitingRequests gap, @Nullable FilterChain chain) {
        return new ServedApi(key, kafkaApi, minVersion, maxVersion, advertisedMinVersion, null, null, gap, chain, 0);
    }

    /** The handler that a request is for; null if there is none just now. */
    @Nullable
    BoundHandler handlerFor(ParsedRequest request) {
        TrialHandler tried = trial;
        return tried == null || !tried.takes(request) ? handler : tried.handler();
    }

    /** Whether a request certainly keeps its thread for microseconds only. */
    boolean isBrief() {
        return filters == null
                && (handler == null || handler.isBrief())
                && (trial == null || trial.handler().isBrief());
    }

    /** Whether the parsed body, or who forwards it, refers to the bytes it was parsed from. */
    boolean keepsBuffer() {
        return kafkaApi == null || kafkaApi.requiresDelayedAllocation;
    }

    /** Kafka's name in capitals, or the key. */
    String name() {
        return kafkaApi == null ? Short.toString(key) : kafkaApi.name();
    }
}
