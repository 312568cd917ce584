package io.gregor.dispatch.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What one thread has counted of the requests of one API. Owned by that thread; any thread reads, and may miss the last
 * request.
 */
final class ApiStats {
    private static final RequestFigure[] FIGURES = RequestFigure.values();
    private static final short FIRST_CODE = Errors.UNKNOWN_SERVER_ERROR.code();
    private static final int ERRORS =
            Arrays.stream(Errors.values()).mapToInt(ApiStats::place).max().orElseThrow() + 1;
    private static final int VERSIONS = 24;
    private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(long[].class);

    private final int slot;
    private final @Nullable FadingHistogram[] histograms = new FadingHistogram[FIGURES.length];
    private volatile long[] byVersion = new long[VERSIONS];
    private volatile long @Nullable [] byError;

    ApiStats(int slot, long landmarkS) {
        this.slot = slot;
        for (RequestFigure figure : FIGURES) {
            if (!figure.isOfRecords() || StatsSlots.isOfRecords(slot)) {
                histograms[figure.place()] = new FadingHistogram(figure.unitBits(), landmarkS);
            }
        }
    }

    /** Where these requests are counted. */
    int slot() {
        return slot;
    }

    /** Counts a value. Owner. */
    void record(RequestFigure figure, long value, double weight) {
        FadingHistogram histogram = histograms[figure.place()];
        if (histogram != null) {
            histogram.record(value, weight);
        }
    }

    /** Counts a request; true if it is the first one of its version. Owner. */
    boolean countVersion(int version) {
        long[] counts = byVersion;
        if (version >= counts.length) {
            counts = Arrays.copyOf(counts, version + 1);
            byVersion = counts;
        }
        return add(counts, version, 1);
    }

    /** Counts an error, or {@link Errors#NONE}; true if it is the first one of its kind. Owner. */
    boolean countError(Errors error, int times) {
        long[] counts = byError;
        if (counts == null) {
            counts = new long[ERRORS];
            byError = counts;
        }
        return add(counts, place(error), times);
    }

    /** Counts errors; tells of those that are the first of their kind. Owner. */
    void countErrors(Map<Errors, Integer> errors, RequestStats.Appearances appearances) {
        for (Map.Entry<Errors, Integer> one : errors.entrySet()) {
            if (countError(one.getKey(), one.getValue())) {
                appearances.error(slot, one.getKey());
            }
        }
    }

    /** Moves the landmark of the weights. Owner. */
    void rescale(long landmarkS) {
        for (FadingHistogram histogram : histograms) {
            if (histogram != null) {
                histogram.rescale(landmarkS);
            }
        }
    }

    /** Takes up all that another one of this API has. Before others see this one. */
    void addAll(ApiStats other) {
        for (int i = 0; i < histograms.length; i++) {
            FadingHistogram into = histograms[i];
            FadingHistogram from = other.histograms[i];
            if (into != null && from != null) {
                into.addAll(from);
            }
        }
        byVersion = sum(byVersion, other.byVersion);
        long[] errors = other.byError;
        if (errors != null) {
            byError = sum(byError == null ? new long[ERRORS] : byError, errors);
        }
    }

    /** What was counted of a figure; null if this API does not have it. Any thread. */
    @Nullable
    FadingHistogram histogram(RequestFigure figure) {
        return histograms[figure.place()];
    }

    /** How many requests there were. Any thread. */
    long requests() {
        long[] counts = byVersion;
        long sum = 0;
        for (int version = 0; version < counts.length; version++) {
            sum += (long) NUMBER.getOpaque(counts, version);
        }
        return sum;
    }

    /** How many requests of a version there were. Any thread. */
    long ofVersion(int version) {
        long[] counts = byVersion;
        return version < counts.length ? (long) NUMBER.getOpaque(counts, version) : 0;
    }

    /** How often there was an error. Any thread. */
    long ofError(Errors error) {
        long[] counts = byError;
        return counts == null ? 0 : (long) NUMBER.getOpaque(counts, place(error));
    }

    private static int place(Errors error) {
        return error.code() - FIRST_CODE;
    }

    private static boolean add(long[] counts, int index, long amount) {
        long before = counts[index];
        NUMBER.setOpaque(counts, index, before + amount);
        return before == 0;
    }

    private static long[] sum(long[] one, long[] other) {
        long[] sum = Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int i = 0; i < other.length; i++) {
            sum[i] += (long) NUMBER.getOpaque(other, i);
        }
        return sum;
    }
}
