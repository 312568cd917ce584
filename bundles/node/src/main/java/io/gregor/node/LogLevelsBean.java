package io.gregor.node;

import io.gregor.internal.node.LogLevels;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.server.logger.LoggingControllerMBean;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MBean that shows and changes levels of loggers, under Kafka's name. A level that there is not is refused, where Kafka
 * takes it for {@code DEBUG}. Shared: any thread.
 */
@Component(
        service = {},
        immediate = true)
public final class LogLevelsBean implements LoggingControllerMBean {
    /** Its name. */
    static final String NAME = "kafka:type=kafka.Log4jController";

    private static final Logger LOGGER = LoggerFactory.getLogger(LogLevelsBean.class);
    private static final String NO_SUCH_LOGGER = "No such logger.";

    private final LogLevels levels;
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /** Registers it. */
    @Activate
    public LogLevelsBean(@Reference LogLevels levels) {
        this.levels = levels;
        try {
            server.registerMBean(new StandardMBean(this, LoggingControllerMBean.class), new ObjectName(NAME));
        } catch (JMException taken) {
            LOGGER.warn("MBean could not be registered: name={}", NAME, taken);
        }
    }

    @Deactivate
    void deactivate() {
        try {
            server.unregisterMBean(new ObjectName(NAME));
        } catch (JMException gone) {
            LOGGER.debug("MBean was gone already: name={}", NAME);
        }
    }

    /** Each logger, {@code =} and its level. */
    @Override
    public List<String> getLoggers() {
        return levels.levels().entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .toList();
    }

    @Override
    public String getLogLevel(String logger) {
        return levels.levels().getOrDefault(logger, NO_SUCH_LOGGER);
    }

    /** False if there is no such logger, or no such level. */
    @Override
    public boolean setLogLevel(String logger, String level) {
        try {
            levels.set(logger, level.toUpperCase(Locale.ROOT));
            return true;
        } catch (IllegalArgumentException refused) {
            LOGGER.debug("Level was not set: logger={} level={}", logger, level, refused);
            return false;
        }
    }
}
