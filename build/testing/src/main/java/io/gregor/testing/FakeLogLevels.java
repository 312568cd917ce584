package io.gregor.testing;

import io.gregor.internal.node.LogLevels;
import java.util.Map;
import java.util.TreeMap;

/** The loggers {@code root} at INFO and {@code kafka} at WARN. Owned by the test's thread. */
public final class FakeLogLevels implements LogLevels {
    private final Map<String, String> levels = new TreeMap<>(Map.of("root", "INFO", "kafka", "WARN"));

    @Override
    public Map<String, String> levels() {
        return Map.copyOf(levels);
    }

    @Override
    public boolean exists(String logger) {
        return levels.containsKey(logger);
    }

    @Override
    public void set(String logger, String level) {
        levels.put(logger, level);
    }

    @Override
    public boolean unset(String logger) {
        return levels.remove(logger) != null;
    }
}
