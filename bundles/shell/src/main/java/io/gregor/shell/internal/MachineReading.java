package io.gregor.shell.internal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
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
    private static final double SECOND_MS = 1_000;
    private static final Pattern SOME = Pattern.compile("some avg10=[\\d.]+ avg60=([\\d.]+)");
    private static final String ROLE = "role";

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final Path pressure;

    /** Reads of this process and its machine. */
    public MachineReading() {
        this(Path.of("/proc/pressure"));
    }

    MachineReading(Path pressure) {
        this.pressure = pressure;
    }

    /** What the machine says; a flush's usual time is the median of the last minutes, since the mean is of all since the start. */
    public Machine machine() {
        ObjectName flushes = name(FLUSHES);
        double flushingThreads = attribute(flushes, "OneMinuteRate") * attribute(flushes, "50thPercentile") / SECOND_MS;
        return new Machine(
                orZero(attribute(flushes, "99thPercentile")),
                orZero(flushingThreads),
                waitRatio("io"),
                waitRatio("cpu"));
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
