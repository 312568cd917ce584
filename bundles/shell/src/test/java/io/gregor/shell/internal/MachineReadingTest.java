package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineReadingTest {
    /** A meter as Kafka's metrics have it. */
    public interface RateMBean {
        double getOneMinuteRate();
    }

    /** Ten a second. */
    public static final class Rate implements RateMBean {
        @Override
        public double getOneMinuteRate() {
            return 10;
        }
    }

    /** Flushes as Kafka's metrics have them. */
    public interface FlushesMBean {
        double getMean();

        long getCount();
    }

    /** One more of 4 ms each time it is asked. */
    public static final class Flushes implements FlushesMBean {
        private long count;

        @Override
        public double getMean() {
            return 4;
        }

        @Override
        public long getCount() {
            return count++;
        }
    }

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

    @TempDir
    Path pressure;

    @Test
    void readsLinuxsAccountOfTasksThatWait() throws IOException, InterruptedException {
        Files.writeString(
                pressure.resolve("io"),
                "some avg10=7.92 avg60=41.50 avg300=6.94 total=423535440\nfull avg10=0 avg60=0 avg300=0 total=0\n");

        Machine machine = new MachineReading(pressure, Duration.ZERO).machine();

        assertThat(machine.diskWaitRatio()).isEqualTo(0.415);
        assertThat(machine.processorWaitRatio()).isNaN();
        assertThat(machine.flushTimeP99Ms()).isZero();
        assertThat(machine.flushingThreads()).isZero();
    }

    @Test
    void countsTheRequestsOfARole() throws JMException {
        MachineReading reading = new MachineReading(pressure, Duration.ZERO);
        assertThat(reading.requests("broker")).isNaN();
        ObjectName produce = name("request=Produce,version=12");
        ObjectName fetch = name("request=Fetch,version=17");
        ObjectName vote = name("request=Vote,version=2,role=controller");
        for (ObjectName bean : new ObjectName[] {produce, fetch, vote}) {
            beans.registerMBean(new Rate(), bean);
        }
        try {
            assertThat(reading.requests("broker")).isEqualTo(1_200);
            assertThat(reading.requests("controller")).isEqualTo(600);
        } finally {
            for (ObjectName bean : new ObjectName[] {produce, fetch, vote}) {
                beans.unregisterMBean(bean);
            }
        }
    }

    @Test
    void countsThreadsInAFlush() throws JMException, InterruptedException {
        ObjectName flushes = new ObjectName("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs");
        beans.registerMBean(new Flushes(), flushes);
        try {
            double threads =
                    new MachineReading(pressure, Duration.ofMillis(1)).machine().flushingThreads();

            assertThat(threads).isPositive();
        } finally {
            beans.unregisterMBean(flushes);
        }
    }

    private static ObjectName name(String rest) throws JMException {
        return new ObjectName("kafka.network:type=RequestMetrics,name=RequestsPerSec," + rest);
    }
}
