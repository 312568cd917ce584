package io.gregor.shell.internal;

import io.gregor.internal.dispatch.DispatchView.Figures;
import java.util.Locale;

/**
 * Says from the figures of a role what holds its requests up, and which setting they point to. Immutable.
 *
 * <p>The order is that of cause and effect. Handlers come first: when they are too slow the request channel fills, and
 * processors that block on it look busy without being the cause; while processors that are too slow leave handlers idle.
 * Handlers that are busy because each waits for the disk are the disk's matter. Only when both kinds of threads have time
 * are the clients looked at.
 *
 * @param bottleneck what it is
 * @param advice what to do about it, in one line
 */
public record Diagnosis(Bottleneck bottleneck, String advice) {
    /** Threads that sleep less than this have no time to spare. */
    static final double BUSY_RATIO = 0.3;

    /** With fewer requests in the last minute the 99th percentile is one request's bad luck. */
    static final int FEWEST_REQUESTS = 100;

    /** Longer waits for a handler thread are felt, even if they come in bursts. */
    static final double LONG_QUEUE_TIME_MS = 50;

    /** Handlers that only compute and write to memory are done sooner. */
    static final double LONG_LOCAL_TIME_MS = 20;

    /** Clients that read are done sooner. */
    static final double LONG_SEND_TIME_MS = 100;

    /** Fewer threads in a flush are those of the metadata log, which is flushed all the time. */
    static final double FEW_FLUSHING_THREADS = 0.3;

    /** With so many, one partition is always being flushed, and other handlers may wait for it. */
    static final double MANY_FLUSHING_THREADS = 0.7;

    /** Above this the machine itself is short of a disk or a processor. */
    static final double LONG_WAIT_RATIO = 0.4;

    /** Judges the figures. */
    public static Diagnosis of(Readings readings) {
        Figures figures = readings.figures();
        if (isTooFew(readings)) {
            return new Diagnosis(Bottleneck.UNKNOWN, tooFew(readings));
        }
        if (areHandlersBusy(readings) || figures.localTimeP99Ms() >= LONG_LOCAL_TIME_MS) {
            if (isDiskSlow(readings)) {
                return new Diagnosis(Bottleneck.DISK, disk(readings));
            }
        }
        if (areHandlersBusy(readings)) {
            return new Diagnosis(Bottleneck.HANDLERS, handlers(readings));
        }
        if (readings.networkIdleRatio() < BUSY_RATIO) {
            return new Diagnosis(Bottleneck.NETWORK, network(readings));
        }
        if (figures.queueTimeP99Ms() >= LONG_QUEUE_TIME_MS) {
            return new Diagnosis(Bottleneck.HANDLERS, bursts(readings));
        }
        if (figures.responseSendTimeP99Ms() >= LONG_SEND_TIME_MS) {
            return new Diagnosis(Bottleneck.CLIENTS, clients(figures));
        }
        return new Diagnosis(
                Bottleneck.NONE, "nothing: both kinds of threads have time, and requests do not wait for them");
    }

    /** Where nobody counts requests, times that are all 0 tell as much. */
    private static boolean isTooFew(Readings readings) {
        Figures figures = readings.figures();
        boolean isUnmeasured =
                figures.localTimeP99Ms() + figures.queueTimeP99Ms() + figures.responseSendTimeP99Ms() == 0;
        return readings.requests() < FEWEST_REQUESTS || (Double.isNaN(readings.requests()) && isUnmeasured);
    }

    private static boolean isDiskSlow(Readings readings) {
        boolean isWaiting = readings.machine().diskWaitRatio() >= LONG_WAIT_RATIO
                && readings.figures().localTimeP99Ms() >= LONG_LOCAL_TIME_MS;
        return isFlushing(readings) || isWaiting;
    }

    static boolean isFlushing(Readings readings) {
        return readings.machine().flushingThreads() >= flushingLimit(readings);
    }

    /** Of busy handlers half, within bounds; while they have time, the others that flush may be no handlers. */
    static double flushingLimit(Readings readings) {
        if (!areHandlersBusy(readings)) {
            return MANY_FLUSHING_THREADS;
        }
        double atWork = readings.handlerThreads() * (1 - readings.figures().handlerIdleRatio());
        return Math.max(FEW_FLUSHING_THREADS, Math.min(MANY_FLUSHING_THREADS, atWork / 2));
    }

    private static boolean areHandlersBusy(Readings readings) {
        return readings.figures().handlerIdleRatio() < BUSY_RATIO;
    }

    private static String tooFew(Readings readings) {
        String count = Double.isNaN(readings.requests()) ? "none" : String.valueOf(Math.round(readings.requests()));
        return "too few requests to tell, in the last minute " + count + " of " + FEWEST_REQUESTS
                + ": look again under load";
    }

    private static String disk(Readings readings) {
        Machine machine = readings.machine();
        String why = isFlushing(readings)
                ? String.format(
                        Locale.ROOT,
                        "%.1f threads are in a flush all the time, which takes up to %s",
                        machine.flushingThreads(),
                        ms(machine.flushTimeP99Ms()))
                : "tasks of this machine waited for it " + percent(machine.diskWaitRatio()) + " of the last minute";
        return "the disk: " + why + ": faster disks or more of them in log.dirs, fewer flushes"
                + " (log.flush.interval.messages, log.flush.interval.ms); more handler threads would only wait with these";
    }

    private static String handlers(Readings readings) {
        Figures figures = readings.figures();
        StringBuilder out = new StringBuilder("num.io.threads: the handler threads, now "
                + readings.handlerThreads() + ", are at work " + percent(1 - figures.handlerIdleRatio())
                + " of the time: handlers:threads " + readings.handlerThreads() * 2);
        boolean isStarved = readings.machine().processorWaitRatio() >= LONG_WAIT_RATIO;
        if (figures.localTimeP99Ms() >= LONG_LOCAL_TIME_MS && !isStarved) {
            out.append("; a request takes them ")
                    .append(ms(figures.localTimeP99Ms()))
                    .append(" and it is not the disk: look for a slow handler, filter or authorizer too");
        }
        return out + processorNote(readings);
    }

    private static String bursts(Readings readings) {
        return "num.io.threads: requests come in bursts that wait "
                + ms(readings.figures().queueTimeP99Ms()) + " for the handler threads, now " + readings.handlerThreads()
                + ": handlers:threads " + readings.handlerThreads() * 2 + processorNote(readings);
    }

    private static String network(Readings readings) {
        return "num.network.threads: the network threads, now " + readings.processors() + " a listener, are at work "
                + percent(1 - readings.networkIdleRatio())
                + " of the time while handlers wait for them: processors:set "
                + readings.processors() * 2 + processorNote(readings);
    }

    private static String processorNote(Readings readings) {
        double ratio = readings.machine().processorWaitRatio();
        return ratio >= LONG_WAIT_RATIO
                ? "; it may help little, tasks of this machine waited for a processor " + percent(ratio)
                        + " of the last minute"
                : "";
    }

    private static String clients(Figures figures) {
        return "the clients: they take " + ms(figures.responseSendTimeP99Ms())
                + " to read a response while the network threads have time: nothing to set here, look at them and the"
                + " network between";
    }

    private static String percent(double ratio) {
        return Math.round(ratio * 100) + " %";
    }

    /** A time as it is shown. */
    static String ms(double time) {
        return String.format(Locale.ROOT, time < 10 ? "%.2f ms" : "%.0f ms", time);
    }
}
