package io.gregor.shell.internal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * Reads what is known beside the figures of the roles: Kafka's metrics of requests and flushes over JMX, and Linux's account
 * of tasks that wait (pressure stall information). Immutable.
 */
public final class MachineReading {
    private static final String REQUESTS = "kafka.network:type=RequestMetrics,name=RequestsPerSec,*";
    private static final String FLUSHES = "kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs";
    private static final double MINUTE_S = 60;
    private static final Pattern SOME = Pattern.compile("some avg10=[\\d.]+ avg60=([\\d.]+)");
    private static final String ROLE = "role";

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final Path pressure;
    private final Duration sample;

    /** Reads of this process and its machine. */
    public MachineReading() {
        this(Path.of("/proc/pressure"), Duration.ofSeconds(1));
    }

    MachineReading(Path pressure, Duration sample) {
        this.pressure = pressure;
        this.sample = sample;
    }

    /** What the machine says. Takes a second, in which it counts flushes: Kafka's own mean of them is of all since the start. */
    public Machine machine() throws InterruptedException {
        ObjectName flushes = name(FLUSHES);
        double beforeMs = flushedMs(flushes);
        long startNs = System.nanoTime();
        new CountDownLatch(1).await(sample.toMillis(), TimeUnit.MILLISECONDS);
        double flushedMs = flushedMs(flushes) - beforeMs;
        double elapsedMs = (double) (System.nanoTime() - startNs) / TimeUnit.MILLISECONDS.toNanos(1);
        return new Machine(
                orZero(attribute(flushes, "99thPercentile")),
                orZero(flushedMs / elapsedMs),
                waitRatio("io"),
                waitRatio("cpu"));
    }

    /** How long all flushes took together since the start. */
    private double flushedMs(ObjectName flushes) {
        return attribute(flushes, "Mean") * attribute(flushes, "Count");
    }

    /** The requests of a role in about the last minute; NaN if nobody counts them. */
    public double requests(String role) {
        Set<ObjectName> all = beans.queryNames(name(REQUESTS), null);
        boolean isMarked = all.stream().anyMatch(bean -> role.equals(bean.getKeyProperty(ROLE)));
        return all.stream()
                .filter(bean -> isMarked ? role.equals(bean.getKeyProperty(ROLE)) : bean.getKeyProperty(ROLE) == null)
                .mapToDouble(bean -> attribute(bean, "OneMinuteRate"))
                .filter(rate -> !Double.isNaN(rate))
                .reduce(Double::sum)
                .stream()
                .map(rate -> rate * MINUTE_S)
                .findFirst()
                .orElse(Double.NaN);
    }

    private double attribute(ObjectName bean, String attribute) {
        try {
            return beans.getAttribute(bean, attribute) instanceof Number number ? number.doubleValue() : Double.NaN;
        } catch (JMException gone) {
            return Double.NaN;
        }
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException impossible) {
            throw new IllegalStateException("name=" + text, impossible);
        }
    }

    private double waitRatio(String resource) {
        try {
            Matcher line = SOME.matcher(Files.readString(pressure.resolve(resource)));
            return line.find() ? Double.parseDouble(line.group(1)) / 100 : Double.NaN;
        } catch (IOException untold) {
            return Double.NaN;
        }
    }
}
