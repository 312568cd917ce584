package io.gregor.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BundleLogTest {
    private final Logger target = (Logger) org.slf4j.LoggerFactory.getLogger("a.component");
    private final ListAppender<ILoggingEvent> events = new ListAppender<>();
    private final org.osgi.service.log.Logger logger = new BundleLog().getLogger("a.component");

    @BeforeEach
    void listen() {
        target.setAdditive(false);
        target.setLevel(Level.INFO);
        target.addAppender(events);
        events.start();
    }

    @AfterEach
    void leave() {
        target.detachAppender(events);
    }

    @Test
    void levelMessageValuesAndFaultArrive() {
        IllegalStateException fault = new IllegalStateException("no");

        logger.error("{} of {} failed", 1, 2, fault);
        logger.warn("plain");
        logger.audit("one {}", "value");

        assertThat(events.list)
                .extracting(event -> event.getLevel() + " " + event.getFormattedMessage())
                .containsExactly("ERROR 1 of 2 failed", "WARN plain", "INFO one value");
        assertThat(events.list.get(0).getThrowableProxy().getMessage()).isEqualTo("no");
    }

    @Test
    void levelsAreThoseOfTheLogger() {
        logger.debug("not heard {}", 1);

        assertThat(logger.isDebugEnabled()).isFalse();
        assertThat(logger.isInfoEnabled()).isTrue();
        assertThat(events.list).isEmpty();
    }
}
