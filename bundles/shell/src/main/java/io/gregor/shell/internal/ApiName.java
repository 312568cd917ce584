package io.gregor.shell.internal;

import org.apache.kafka.common.protocol.ApiKeys;

/** Names APIs as the protocol's documents do. Immutable. */
public final class ApiName {
    private ApiName() {}

    /** The name of one of Kafka's keys, or the other name for a key that Kafka does not know. */
    public static String of(int key, String other) {
        return ApiKeys.hasId(key) ? ApiKeys.forId(key).name : other;
    }
}
