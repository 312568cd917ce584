package io.gregor.shell.internal;

import io.gregor.internal.dispatch.DispatchView.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/** Draws the figures of each role in the order in which to look at them, and what they point to. Immutable. */
public final class TuningTable {
    private static final String FINE = "";
    private static final String POOR = "look";
    private static final String UNKNOWN = "-";

    private TuningTable() {}

    /** The figures by role, then a line for each. */
    public static String draw(SortedMap<String, Readings> byRole) {
        Table table = new Table("ROLE", "FIGURE", "NOW", "GOOD", "STATE");
        byRole.forEach((role, readings) -> addRole(table, role, readings));
        StringBuilder out = new StringBuilder(table.draw()).append('\n');
        for (Map.Entry<String, Readings> role : byRole.entrySet()) {
            out.append('\n')
                    .append(role.getKey())
                    .append(": ")
                    .append(Diagnosis.of(role.getValue()).advice());
        }
        return out.toString();
    }

    private static void addRole(Table table, String role, Readings readings) {
        Figures figures = readings.figures();
        Machine machine = readings.machine();
        addIdle(table, role, "handler idle", figures.handlerIdleRatio());
        addIdle(table, role, "network idle", readings.networkIdleRatio());
        addTime(table, role, "queue time p99", figures.queueTimeP99Ms(), Diagnosis.LONG_QUEUE_TIME_MS);
        boolean isFull = figures.queueSize() >= figures.queueCapacity();
        table.add(
                role,
                "queue size",
                figures.queueSize() + " of " + figures.queueCapacity(),
                "not full",
                isFull ? POOR : FINE);
        addTime(table, role, "local time p99", figures.localTimeP99Ms(), Diagnosis.LONG_LOCAL_TIME_MS);
        table.add(role, "flush time p99", Diagnosis.ms(machine.flushTimeP99Ms()), UNKNOWN, FINE);
        addFlushing(table, role, readings);
        addWait(table, role, "waits for disk", machine.diskWaitRatio());
        addTime(table, role, "response queue time p99", figures.responseQueueTimeP99Ms(), Diagnosis.LONG_SEND_TIME_MS);
        addTime(table, role, "response send time p99", figures.responseSendTimeP99Ms(), Diagnosis.LONG_SEND_TIME_MS);
        table.add(role, "remote time p99", Diagnosis.ms(figures.remoteTimeP99Ms()), UNKNOWN, FINE);
        addWait(table, role, "waits for processor", machine.processorWaitRatio());
        String requests = Double.isNaN(readings.requests()) ? UNKNOWN : String.valueOf(Math.round(readings.requests()));
        table.add(
                role,
                "requests in a minute",
                requests,
                ">= " + Diagnosis.FEWEST_REQUESTS,
                readings.requests() < Diagnosis.FEWEST_REQUESTS ? "too few" : FINE);
    }

    private static void addIdle(Table table, String role, String figure, double ratio) {
        table.add(
                role,
                figure,
                ratio(ratio),
                ">= " + ratio(Diagnosis.BUSY_RATIO),
                ratio < Diagnosis.BUSY_RATIO ? POOR : FINE);
    }

    private static void addWait(Table table, String role, String figure, double ratio) {
        boolean isPoor = ratio >= Diagnosis.LONG_WAIT_RATIO;
        table.add(role, figure, ratio(ratio), "< " + ratio(Diagnosis.LONG_WAIT_RATIO), isPoor ? POOR : FINE);
    }

    private static void addFlushing(Table table, String role, Readings readings) {
        String now = ratio(readings.machine().flushingThreads());
        table.add(
                role,
                "threads in flush",
                now,
                "< " + ratio(Diagnosis.flushingLimit(readings)),
                Diagnosis.isFlushing(readings) ? POOR : FINE);
    }

    private static void addTime(Table table, String role, String figure, double timeMs, double longMs) {
        table.add(
                role, figure, Diagnosis.ms(timeMs), "< " + Math.round(longMs) + " ms", timeMs >= longMs ? POOR : FINE);
    }

    private static String ratio(double ratio) {
        return Double.isNaN(ratio) ? UNKNOWN : String.format(Locale.ROOT, "%.2f", ratio);
    }
}
