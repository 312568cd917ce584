package io.gregor.internal.admin;

import io.gregor.internal.node.LogLevels;
import java.util.Collection;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.LogLevelConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;

/** Kafka's rules for changes of the loggers of a node (KIP-412), in its words. Immutable. */
public final class LogLevelChanges {
    private static final String ROOT = "root";

    private LogLevelChanges() {}

    /**
     * Checks that a resource is this node.
     *
     * @throws InvalidRequestException if it is not
     */
    public static void requireNode(String name, int nodeId) {
        int id;
        try {
            id = Integer.parseInt(name);
        } catch (NumberFormatException notANumber) {
            throw new InvalidRequestException("Node id must be an integer, but it is: " + name, notANumber);
        }
        if (id != nodeId) {
            throw new InvalidRequestException("Unexpected node id. Expected " + nodeId + ", but received " + id);
        }
    }

    /**
     * Checks the changes, all or none of which are then applied.
     *
     * @throws org.apache.kafka.common.errors.ApiException if one of them cannot be
     */
    public static void check(Collection<SettingChange> changes, LogLevels levels) {
        changes.forEach(change -> check(change, levels));
    }

    /**
     * Applies changes that were checked.
     *
     * @throws InvalidConfigurationException if the logging of this node does not have one of Kafka's levels
     */
    public static void apply(Collection<SettingChange> changes, LogLevels levels) {
        for (SettingChange change : changes) {
            if (change.isDelete()) {
                levels.unset(change.key());
            } else {
                set(change.key(), change.requiredValue(), levels);
            }
        }
    }

    private static void set(String logger, String level, LogLevels levels) {
        try {
            levels.set(logger, level);
        } catch (IllegalArgumentException unknown) {
            throw new InvalidConfigurationException(
                    "Cannot set the log level of " + logger + " to " + level + ": " + unknown.getMessage(), unknown);
        }
    }

    private static void check(SettingChange change, LogLevels levels) {
        OpType type = change.type();
        if (type == null) {
            throw new InvalidRequestException("Unknown operation type " + change.operation()
                    + " is not allowed for the " + ConfigResource.Type.BROKER_LOGGER + " resource");
        }
        switch (type) {
            case SET -> {
                requireLogger(change.key(), levels);
                requireLevel(change);
            }
            case DELETE -> {
                requireLogger(change.key(), levels);
                if (change.key().equals(ROOT)) {
                    throw new InvalidRequestException(
                            "Removing the log level of the " + ROOT + " logger is not allowed");
                }
            }
            case APPEND, SUBTRACT ->
                throw new InvalidRequestException(
                        type + " operation is not allowed for the " + ConfigResource.Type.BROKER_LOGGER + " resource");
        }
    }

    private static void requireLogger(String logger, LogLevels levels) {
        if (!levels.exists(logger)) {
            throw new InvalidConfigurationException("Logger " + logger + " does not exist!");
        }
    }

    private static void requireLevel(SettingChange change) {
        if (!LogLevelConfig.VALID_LOG_LEVELS.contains(change.requiredValue())) {
            throw new InvalidConfigurationException("Cannot set the log level of " + change.key() + " to "
                    + change.value() + " as it is not a supported log level. Valid log levels are "
                    + String.join(", ", new TreeSet<>(LogLevelConfig.VALID_LOG_LEVELS)));
        }
    }
}
