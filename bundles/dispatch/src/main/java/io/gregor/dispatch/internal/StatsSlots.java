package io.gregor.dispatch.internal;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.FetchRequest;

/**
 * Where a request is counted: each of Kafka's keys has a slot of its number, the kinds that Kafka shows apart have slots of
 * their own, new keys get the next ones. Shared: any thread.
 */
final class StatsSlots {
    static final int CONSUMER_FETCH = 256;
    static final int FOLLOWER_FETCH = 257;
    static final int VERIFICATION = 258;
    static final int CLIENT_METRICS = 259;
    private static final int FIRST_NEW_KEY = 260;

    private volatile short[] newKeys = new short[0];

    /** The slot of a request. */
    int of(ParsedRequest request) {
        short key = request.apiKey();
        if (key >= ApiTable.FIRST_NEW_KEY) {
            return ofNewKey(key);
        }
        AbstractRequest body = request.parsedBody();
        if (body instanceof FetchRequest fetch) {
            return fetch.isFromFollower() ? FOLLOWER_FETCH : CONSUMER_FETCH;
        }
        if (body instanceof AddPartitionsToTxnRequest add && add.allVerifyOnlyRequest()) {
            return VERIFICATION;
        }
        return key == ApiKeys.LIST_CONFIG_RESOURCES.id && request.apiVersion() == 0 ? CLIENT_METRICS : key;
    }

    /** Whether records may be converted for the requests of a slot. */
    static boolean isOfRecords(int slot) {
        return slot == ApiKeys.PRODUCE.id || slot == CONSUMER_FETCH || slot == FOLLOWER_FETCH;
    }

    /** Whether a slot is that of a new key. */
    static boolean isOfNewKey(int slot) {
        return slot >= FIRST_NEW_KEY;
    }

    /** All slots of an API key. */
    int[] ofKey(short key) {
        return IntStream.range(0, FIRST_NEW_KEY + newKeys.length)
                .filter(slot -> key(slot) == key)
                .toArray();
    }

    /** The API key whose requests are counted in a slot. */
    short key(int slot) {
        return switch (slot) {
            case CONSUMER_FETCH, FOLLOWER_FETCH -> ApiKeys.FETCH.id;
            case VERIFICATION -> ApiKeys.ADD_PARTITIONS_TO_TXN.id;
            case CLIENT_METRICS -> ApiKeys.LIST_CONFIG_RESOURCES.id;
            default -> isOfNewKey(slot) ? newKey(slot) : (short) slot;
        };
    }

    /** The new key of a slot. */
    short newKey(int slot) {
        return newKeys[slot - FIRST_NEW_KEY];
    }

    private int ofNewKey(short key) {
        int found = find(newKeys, key);
        return FIRST_NEW_KEY + (found >= 0 ? found : addNewKey(key));
    }

    private synchronized int addNewKey(short key) {
        int found = find(newKeys, key);
        if (found >= 0) {
            return found;
        }
        int next = newKeys.length;
        short[] grown = Arrays.copyOf(newKeys, next + 1);
        grown[next] = key;
        newKeys = grown;
        return next;
    }

    private static int find(short[] keys, short key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] == key) {
                return i;
            }
        }
        return -1;
    }
}
