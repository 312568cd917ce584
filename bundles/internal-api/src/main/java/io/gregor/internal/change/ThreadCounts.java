package io.gregor.internal.change;

import org.apache.kafka.common.config.ConfigException;

/** Kafka's rule for changing the number of threads of a pool: to no less than half, to no more than double. Immutable. */
public final class ThreadCounts {
    private ThreadCounts() {}

    /**
     * Checks a change of a number of threads; half is rounded down, so 3 may become 1.
     *
     * @throws ConfigException with Kafka's words
     */
    public static void check(String key, int now, int wanted) {
        String refused = "Dynamic thread count update validation failed for " + key + "=" + wanted;
        if (wanted <= 0) {
            throw new ConfigException(refused + ", value should be at least 1");
        }
        if (wanted < now / 2) {
            throw new ConfigException(refused + ", value should be at least half the current value " + now);
        }
        if (wanted > now * 2) {
            throw new ConfigException(refused + ", value should not be greater than double the current value " + now);
        }
    }
}
