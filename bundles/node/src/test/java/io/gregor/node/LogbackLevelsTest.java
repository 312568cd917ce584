package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogbackLevelsTest {
    private static final String PARENT = "levels.test";
    private static final String CHILD = "levels.test.Child";

    private final LogbackLevels levels = new LogbackLevels();
    private Logger child = LoggerFactory.getLogger(CHILD);
    private String root = "";

    @BeforeEach
    void rememberRoot() {
        root = levels.levels().getOrDefault("root", "");
    }

    @AfterEach
    void restore() {
        levels.set("root", root);
        levels.unset(PARENT);
        levels.unset(CHILD);
    }

    @Test
    void aLevelCountsForTheLoggersBelow() {
        levels.set(PARENT, "DEBUG");

        assertThat(child.isDebugEnabled()).isTrue();
        assertThat(levels.levels()).containsEntry(PARENT, "DEBUG").containsEntry(CHILD, "DEBUG");
    }

    @Test
    void anUnsetLoggerHasItsParentsLevel() {
        levels.set(PARENT, "ERROR");
        levels.set(CHILD, "TRACE");

        assertThat(levels.unset(CHILD)).isTrue();
        assertThat(levels.levels()).containsEntry(CHILD, "ERROR");
    }

    @Test
    void fatalIsAboveEverythingThatIsLogged() {
        levels.set(CHILD, "FATAL");

        assertThat(child.isErrorEnabled()).isFalse();
        assertThat(levels.levels()).containsEntry(CHILD, "FATAL");
    }

    @Test
    void rootIsKafkasNameOfTheRootLogger() {
        levels.set("root", "ERROR");

        assertThat(LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME).isWarnEnabled())
                .isFalse();
        assertThat(levels.levels()).containsEntry("root", "ERROR").doesNotContainKey("ROOT");
        assertThat(levels.exists("ROOT")).isFalse();
        assertThat(levels.unset("root")).isFalse();
    }

    @Test
    void refusesLevelsThatKafkaDoesNotHave() {
        assertThatThrownBy(() -> levels.set(CHILD, "OFF"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("level=OFF must be one of ");
        assertThat(levels.exists("levels.test.Nobody")).isFalse();
    }
}
