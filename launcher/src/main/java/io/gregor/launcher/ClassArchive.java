package io.gregor.launcher;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The classes that a node has loaded, parsed and checked, as a file that the JVM maps at the next start: a start then costs
 * about a quarter less CPU. The start script names the file after the Java version and the jars, asks for it where it is
 * missing, and uses it where it is there. Owned by the thread that stops the node.
 */
final class ClassArchive {
    private static final Logger LOGGER = LoggerFactory.getLogger(ClassArchive.class);

    private final Path file;

    private ClassArchive(Path file) {
        this.file = file;
    }

    /** Writes the archive that the start script has asked for, if any. A failure costs nothing but the archive. */
    static void writeIfAsked() {
        String asked = System.getProperty("gregor.class.archive");
        if (asked == null || Files.exists(Path.of(asked))) {
            return;
        }
        try {
            new ClassArchive(Path.of(asked)).write();
        } catch (JMException | IOException fault) {
            LOGGER.info("no class archive is written: file={} reason={}", asked, StartFaults.reason(fault));
        }
    }

    /** By way of a file of its own, since nodes of one distribution may stop at the same time. */
    private void write() throws JMException, IOException {
        long beganNs = System.nanoTime();
        Path own = Path.of(file + "." + ProcessHandle.current().pid());
        try {
            Object said = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmCds",
                            new Object[] {new String[] {"dynamic_dump", own.toString()}},
                            new String[] {String[].class.getName()});
            LOGGER.debug("class archive: {}", said);
            Files.move(own, file, StandardCopyOption.ATOMIC_MOVE);
            Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
            LOGGER.info("classes are archived for the next start: file={} tookMs={}", file, took.toMillis());
        } finally {
            Files.deleteIfExists(own);
        }
    }
}
