package io.gregor.dispatch.internal;

import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/** A {@link Distribution} with the attributes that Kafka's histograms have in JMX. Shared: any thread. */
final class HistogramBean extends ReadOnlyBean {
    private static final MBeanInfo INFO = info(
            HistogramBean.class,
            Stream.concat(
                            Stream.of(attribute("Count", long.class)),
                            Stream.of(
                                            "Min",
                                            "Max",
                                            "Mean",
                                            "StdDev",
                                            "50thPercentile",
                                            "75thPercentile",
                                            "95thPercentile",
                                            "98thPercentile",
                                            "99thPercentile",
                                            "999thPercentile")
                                    .map(name -> attribute(name, double.class)))
                    .toList());

    private final Supplier<Distribution> source;
    private final double shownPerUnit;

    HistogramBean(Supplier<Distribution> source, double shownPerUnit) {
        super(INFO);
        this.source = source;
        this.shownPerUnit = shownPerUnit;
    }

    @Override
    Function<String, @Nullable Object> read() {
        Distribution values = source.get();
        return name -> switch (name) {
            case "Count" -> values.count();
            case "Min" -> values.min() * shownPerUnit;
            case "Max" -> values.max() * shownPerUnit;
            case "Mean" -> values.mean() * shownPerUnit;
            case "StdDev" -> values.stdDev() * shownPerUnit;
            case "50thPercentile" -> values.percentile(0.5) * shownPerUnit;
            case "75thPercentile" -> values.percentile(0.75) * shownPerUnit;
            case "95thPercentile" -> values.percentile(0.95) * shownPerUnit;
            case "98thPercentile" -> values.percentile(0.98) * shownPerUnit;
            case "99thPercentile" -> values.percentile(0.99) * shownPerUnit;
            case "999thPercentile" -> values.percentile(0.999) * shownPerUnit;
            default -> null;
        };
    }
}
