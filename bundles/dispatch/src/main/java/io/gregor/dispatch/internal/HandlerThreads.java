package io.gregor.dispatch.internal;

import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.AbstractConfig;

/** The handler threads of all roles of the process together, as one MBean shows how idle they are. Shared: any thread. */
public final class HandlerThreads implements AutoCloseable {
    static final String DOMAIN_AND_TYPE = "kafka.server:type=KafkaRequestHandlerPool,name=";

    private final IdleTime idle = new IdleTime();
    private final FadingRate idleRate = new FadingRate(idle::ns, true, System.nanoTime());
    private final Beans beans;

    /** No threads yet. */
    public HandlerThreads(AbstractConfig config) {
        beans = new Beans(config);
        beans.add(DOMAIN_AND_TYPE + "RequestHandlerAvgIdlePercent", bean(idleRate));
    }

    /** How long they had nothing to do. */
    IdleTime idle() {
        return idle;
    }

    /** How much of their time that is. */
    FadingRate idleRate() {
        return idleRate;
    }

    /** Shows how much of their time threads are idle; Kafka calls it percent, 1 is all of it. */
    static RateBean bean(FadingRate idleRate) {
        return new RateBean(idleRate, System::nanoTime, "percent", TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        beans.close();
    }
}
