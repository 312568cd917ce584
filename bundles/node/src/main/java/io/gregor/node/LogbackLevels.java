package io.gregor.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.gregor.internal.node.LogLevels;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.LogLevelConfig;
import org.osgi.service.component.annotations.Component;
import org.slf4j.LoggerFactory;

/**
 * Levels of Logback's loggers under Kafka's names. Nothing is ever logged at Kafka's highest level, {@code FATAL}, so it is
 * Logback's {@code OFF}. Shared: any thread.
 */
@Component
public final class LogbackLevels implements LogLevels {
    private static final String ROOT = "root";

    @Override
    public Map<String, String> levels() {
        Map<String, String> levels = new TreeMap<>();
        for (Logger logger : context().getLoggerList()) {
            levels.put(name(logger), kafkas(logger.getEffectiveLevel()));
        }
        return levels;
    }

    @Override
    public boolean exists(String logger) {
        return logger.equals(ROOT) || (!isLogbacksRoot(logger) && context().exists(logger) != null);
    }

    @Override
    public void set(String logger, String level) {
        if (!LogLevelConfig.VALID_LOG_LEVELS.contains(level)) {
            throw new IllegalArgumentException("level=" + level + " must be one of " + LogLevelConfig.VALID_LOG_LEVELS);
        }
        if (!exists(logger)) {
            throw new IllegalArgumentException("logger=" + logger + " does not exist");
        }
        logbacks(logger).setLevel(level.equals(LogLevelConfig.FATAL_LOG_LEVEL) ? Level.OFF : Level.valueOf(level));
    }

    @Override
    public boolean unset(String logger) {
        if (logger.equals(ROOT) || !exists(logger)) {
            return false;
        }
        logbacks(logger).setLevel(null);
        return true;
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    private static Logger logbacks(String name) {
        return context().getLogger(name.equals(ROOT) ? org.slf4j.Logger.ROOT_LOGGER_NAME : name);
    }

    private static String name(Logger logger) {
        return isLogbacksRoot(logger.getName()) ? ROOT : logger.getName();
    }

    /** Logback finds its root by this name in any case; Kafka's is in lower case only. */
    private static boolean isLogbacksRoot(String name) {
        return name.equalsIgnoreCase(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static String kafkas(Level level) {
        if (level.isGreaterOrEqual(Level.OFF)) {
            return LogLevelConfig.FATAL_LOG_LEVEL;
        }
        return level.isGreaterOrEqual(Level.TRACE) ? level.toString() : LogLevelConfig.TRACE_LOG_LEVEL;
    }
}
