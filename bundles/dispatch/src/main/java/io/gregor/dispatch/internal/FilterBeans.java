package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.dispatch.FilterRow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.management.MBeanInfo;
import org.apache.kafka.common.utils.internals.Sanitizer;
import org.jspecify.annotations.Nullable;

/** The MBeans {@code io.gregor:type=Filter,name=…,role=…}, one for each name of a filter. Shared: any thread. */
final class FilterBeans {
    private final Beans beans;
    private final String role;

    @GuardedBy("this")
    private final Set<String> shown = new HashSet<>();

    FilterBeans(Beans beans, String role) {
        this.beans = beans;
        this.role = role;
    }

    /** Shows the filters of these names, and no others. */
    synchronized void show(List<String> names, Function<String, @Nullable FilterRow> rows) {
        shown.removeIf(name -> {
            boolean isLeft = !names.contains(name);
            if (isLeft) {
                beans.remove(objectName(name));
            }
            return isLeft;
        });
        for (String name : names) {
            if (shown.add(name)) {
                beans.add(objectName(name), new FilterBean(name, rows));
            }
        }
    }

    /** Takes them all back, and shows none any more. */
    void close() {
        beans.close();
    }

    private String objectName(String name) {
        return "io.gregor:type=Filter,name=" + Sanitizer.jmxSanitize(name) + ",role=" + role;
    }

    /** One filter. Shared: any thread. */
    private static final class FilterBean extends ReadOnlyBean {
        private static final MBeanInfo INFO = info(
                FilterBean.class,
                List.of(
                        attribute("Bundle", String.class),
                        attribute("Fails", String.class),
                        attribute("State", String.class),
                        attribute("Reason", String.class),
                        attribute("Calls", long.class),
                        attribute("Faults", long.class),
                        attribute("MeanTimeNs", long.class),
                        attribute("AllocatedBytes", long.class)));

        private final String name;
        private final Function<String, @Nullable FilterRow> rows;

        FilterBean(String name, Function<String, @Nullable FilterRow> rows) {
            super(INFO);
            this.name = name;
            this.rows = rows;
        }

        @Override
        Function<String, @Nullable Object> read() {
            FilterRow row = rows.apply(name);
            return attribute -> row == null ? null : value(row, attribute);
        }

        private static @Nullable Object value(FilterRow row, String attribute) {
            return switch (attribute) {
                case "Bundle" -> row.bundle();
                case "Fails" -> row.fails();
                case "State" -> row.state().name();
                case "Reason" -> row.reason();
                case "Calls" -> row.calls();
                case "Faults" -> row.faults();
                case "MeanTimeNs" -> row.meanNs();
                case "AllocatedBytes" -> row.allocatedBytes();
                default -> null;
            };
        }
    }
}
