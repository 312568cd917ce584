package io.gregor.example.audit;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigException;

/** How long the time is that one line tells of. Immutable. */
record Interval(long ms) {
    static final String PREFIX = "example.audit.";
    static final String KEY = PREFIX + "interval.ms";

    private static final long SHORTEST_MS = 100;
    private static final long LONGEST_MS = TimeUnit.MINUTES.toMillis(1);

    /**
     * Reads settings.
     *
     * @throws ConfigException if they make no sense
     */
    static Interval of(Map<String, String> settings) {
        for (String key : settings.keySet()) {
            if (!key.equals(KEY)) {
                throw new ConfigException(key + " is no known key: there is " + KEY);
            }
        }
        String typed = settings.getOrDefault(KEY, String.valueOf(LONGEST_MS));
        try {
            long ms = Long.parseLong(typed.strip());
            if (ms >= SHORTEST_MS && ms <= LONGEST_MS) {
                return new Interval(ms);
            }
        } catch (NumberFormatException noNumber) {
            // said below
        }
        throw new ConfigException(KEY + "=" + typed + " must be a whole number of milliseconds, [" + SHORTEST_MS + "..."
                + LONGEST_MS + "]");
    }
}
