package io.gregor.internal.node;

import java.util.Map;

/** The levels of the process's loggers, as Kafka's BROKER_LOGGER resource has them. A service of {@code node}. Any thread. */
public interface LogLevels {
    /** The level that counts for each logger there is, {@code root} included: {@code TRACE} to {@code ERROR}, {@code OFF}, as Kafka names them. */
    Map<String, String> levels();

    /** Whether there is such a logger. */
    boolean exists(String logger);

    /**
     * Gives a logger a level of its own until the process ends.
     *
     * @throws IllegalArgumentException if there is no such level
     */
    void set(String logger, String level);

    /** Takes a logger's own level away, so that its parent's counts; false if it is the root, which keeps one. */
    boolean unset(String logger);
}
