package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogLevelsBeanTest {
    private static final String LOGGER = "levels.bean.test";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Logger logger = LoggerFactory.getLogger(LOGGER);
    private final LogbackLevels levels = new LogbackLevels();
    private ObjectName name;
    private LogLevelsBean bean;

    @BeforeEach
    void register() throws Exception {
        name = new ObjectName(LogLevelsBean.NAME);
        bean = new LogLevelsBean(levels);
    }

    @AfterEach
    void takeAway() {
        bean.deactivate();
        assertThat(server.isRegistered(name)).isFalse();
        levels.unset(LOGGER);
    }

    @Test
    void aLevelIsSetAndShown() throws Exception {
        assertThat(set(LOGGER, "trace")).isEqualTo(true);

        assertThat(logger.isTraceEnabled()).isTrue();
        assertThat(level(LOGGER)).isEqualTo("TRACE");
        assertThat(server.getAttribute(name, "Loggers"))
                .asInstanceOf(list(String.class))
                .contains(LOGGER + "=TRACE");
    }

    @Test
    void whatThereIsNotIsRefusedInKafkasWords() throws Exception {
        assertThat(level("levels.bean.Nobody")).isEqualTo("No such logger.");
        assertThat(set("levels.bean.Nobody", "INFO")).isEqualTo(false);
        assertThat(set(LOGGER, "LOUD")).isEqualTo(false);
    }

    private Object level(String logger) throws Exception {
        return server.invoke(name, "getLogLevel", new Object[] {logger}, new String[] {String.class.getName()});
    }

    private Object set(String logger, String level) throws Exception {
        String[] types = {String.class.getName(), String.class.getName()};
        return server.invoke(name, "setLogLevel", new Object[] {logger, level}, types);
    }
}
