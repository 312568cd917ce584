package io.gregor.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.LogLevels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.Test;

class LogLevelChangesTest {
    private final Levels levels = new Levels();

    @Test
    void setsAndUnsetsWhatWasChecked() {
        List<SettingChange> changes =
                List.of(SettingChange.set("kafka", "DEBUG"), new SettingChange("kafka.log", OpType.DELETE.id(), null));

        LogLevelChanges.check(changes, levels);
        LogLevelChanges.apply(changes, levels);

        assertThat(levels.levels).containsOnly(Map.entry("root", "INFO"), Map.entry("kafka", "DEBUG"));
    }

    @Test
    void knowsLevelsAndLoggersAsKafkaDoes() {
        assertThatThrownBy(() -> check(SettingChange.set("kafka", "LOUD")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("Cannot set the log level of kafka to LOUD as it is not a supported log level. Valid log"
                        + " levels are DEBUG, ERROR, FATAL, INFO, TRACE, WARN");
        assertThatThrownBy(() -> check(SettingChange.set("nobody", "INFO")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("Logger nobody does not exist!");
    }

    @Test
    void leavesTheRootItsLevel() {
        assertThatThrownBy(() -> check(new SettingChange("root", OpType.DELETE.id(), null)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Removing the log level of the root logger is not allowed");
    }

    @Test
    void hasNoListsToAppendTo() {
        assertThatThrownBy(() -> check(new SettingChange("kafka", OpType.APPEND.id(), "INFO")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("APPEND operation is not allowed for the BROKER_LOGGER resource");
    }

    @Test
    void isForOneNode() {
        assertThatThrownBy(() -> LogLevelChanges.requireNode("2", 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Unexpected node id. Expected 1, but received 2");
        assertThatThrownBy(() -> LogLevelChanges.requireNode("", 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Node id must be an integer, but it is: ");
    }

    private void check(SettingChange change) {
        LogLevelChanges.check(List.of(change), levels);
    }

    private static final class Levels implements LogLevels {
        private final Map<String, String> levels =
                new HashMap<>(Map.of("root", "INFO", "kafka", "INFO", "kafka.log", "WARN"));

        @Override
        public Map<String, String> levels() {
            return levels;
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
}
