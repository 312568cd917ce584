package io.gregor.dispatch.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/** A {@link FadingRate} with the attributes that Kafka's meters have in JMX. Shared: any thread. */
final class RateBean extends ReadOnlyBean {
    private static final MBeanInfo INFO = info(
            RateBean.class,
            List.of(
                    attribute("Count", long.class),
                    attribute("EventType", String.class),
                    attribute("RateUnit", TimeUnit.class),
                    attribute("MeanRate", double.class),
                    attribute("OneMinuteRate", double.class),
                    attribute("FiveMinuteRate", double.class),
                    attribute("FifteenMinuteRate", double.class)));

    private final FadingRate rate;
    private final LongSupplier clockNs;
    private final String eventType;
    private final TimeUnit unit;

    /**
     * @param eventType what is counted
     * @param unit rates are shown for each of it
     */
    RateBean(FadingRate rate, LongSupplier clockNs, String eventType, TimeUnit unit) {
        super(INFO);
        this.rate = rate;
        this.clockNs = clockNs;
        this.eventType = eventType;
        this.unit = unit;
    }

    @Override
    Function<String, @Nullable Object> read() {
        long nowNs = clockNs.getAsLong();
        double unitNs = unit.toNanos(1);
        return name -> switch (name) {
            case "Count" -> rate.count(nowNs);
            case "EventType" -> eventType;
            case "RateUnit" -> unit;
            case "MeanRate" -> rate.mean(nowNs) * unitNs;
            case "OneMinuteRate" -> rate.oneMinute(nowNs) * unitNs;
            case "FiveMinuteRate" -> rate.fiveMinutes(nowNs) * unitNs;
            case "FifteenMinuteRate" -> rate.fifteenMinutes(nowNs) * unitNs;
            default -> null;
        };
    }
}
