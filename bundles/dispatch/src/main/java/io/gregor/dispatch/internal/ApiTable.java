package io.gregor.dispatch.internal;

import io.gregor.internal.dispatch.ServedApis;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.jspecify.annotations.Nullable;

/** Immutable. What a role serves at one moment: Kafka's keys in an array, new keys in a sorted one. */
public final class ApiTable {
    /** Keys from here on are not Kafka's. */
    static final short FIRST_NEW_KEY = 10_000;

    private static final int KAFKA_KEYS = 256;

    private final @Nullable ServedApi[] kafkaApis = new ServedApi[KAFKA_KEYS];
    private final short[] newKeys;
    private final ServedApi[] newApis;
    private final ServedApi[] all;
    private final ServedApis.Snapshot snapshot;

    ApiTable(Collection<ServedApi> apis) {
        all = apis.stream().sorted(Comparator.comparingInt(ServedApi::key)).toArray(ServedApi[]::new);
        newApis = Arrays.stream(all).filter(api -> api.key() >= FIRST_NEW_KEY).toArray(ServedApi[]::new);
        newKeys = new short[newApis.length];
        for (int i = 0; i < newApis.length; i++) {
            newKeys[i] = newApis[i].key();
        }
        ApiVersionCollection advertised = new ApiVersionCollection();
        for (ServedApi api : all) {
            if (api.key() < FIRST_NEW_KEY) {
                kafkaApis[api.key()] = api;
            }
            advertised.add(new ApiVersion()
                    .setApiKey(api.key())
                    .setMinVersion(api.advertisedMinVersion())
                    .setMaxVersion(api.maxVersion()));
        }
        snapshot = new ServedApis.Snapshot(advertised);
    }

    /** The API of a key; null if it is not served. */
    @Nullable
    ServedApi find(short key) {
        if (key < 0) {
            return null;
        }
        if (key < FIRST_NEW_KEY) {
            return key < KAFKA_KEYS ? kafkaApis[key] : null;
        }
        int at = Arrays.binarySearch(newKeys, key);
        return at >= 0 ? newApis[at] : null;
    }

    /** All of them, by key. */
    Collection<ServedApi> all() {
        return Arrays.asList(all);
    }

    /** Whether the requests of a key wait for a handler. */
    boolean hasGaps() {
        for (ServedApi api : all) {
            if (api.waiting() != null) {
                return true;
            }
        }
        return false;
    }

    /** How many requests wait for a handler. */
    int waitingRequests() {
        int sum = 0;
        for (ServedApi api : all) {
            WaitingRequests waiting = api.waiting();
            sum += waiting == null ? 0 : waiting.count();
        }
        return sum;
    }

    /** How many bytes these have. */
    long waitingBytes() {
        long sum = 0;
        for (ServedApi api : all) {
            WaitingRequests waiting = api.waiting();
            sum += waiting == null ? 0 : waiting.bytes();
        }
        return sum;
    }

    /** The same as ApiVersions tells it. */
    public ServedApis.Snapshot snapshot() {
        return snapshot;
    }
}
