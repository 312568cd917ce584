package io.gregor.dispatch.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which values came, and how often: 32 cells to each power of two, there only for those that came, so that a value is known
 * to 3 %. Owned by the thread that records; any thread reads through {@link Distribution}, and may miss the last value.
 *
 * <p>Old values fade without being touched: a value is counted with a weight that grows with time (forward decay, by
 * {@code e} in 67 seconds, which is what the biased samples of Kafka's histograms do), and percentiles are taken of the
 * weights. Count, sum, minimum and maximum do not fade, neither do Kafka's.
 */
final class FadingHistogram {
    /** How fast weights grow, each second. */
    static final double ALPHA = 0.015;

    static final int CELL_BITS = 5;
    static final int CELLS = 1 << CELL_BITS;

    static final int COUNT = 0;
    static final int SUM = 1;
    static final int SQUARES = 2;
    static final int MIN = 3;
    static final int MAX = 4;

    /** Stands where no value came. */
    private static final double[] NONE = {};

    private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(double[].class);
    private static final VarHandle OCTAVE = MethodHandles.arrayElementVarHandle(double[][].class);

    private final int unitBits;
    private final double[] totals = {0, 0, 0, Double.MAX_VALUE, 0};
    private volatile Weights weights;

    /** The weights of the cells, beside that of a value which comes at the landmark. */
    private static final class Weights {
        final long landmarkS;
        final double[][] octaves;

        Weights(long landmarkS, double[][] octaves) {
            this.landmarkS = landmarkS;
            this.octaves = octaves;
        }
    }

    /**
     * @param unitBits how many low bits of the values do not matter
     * @param landmarkS the second whose weight is 1
     */
    FadingHistogram(int unitBits, long landmarkS) {
        this.unitBits = unitBits;
        this.weights = new Weights(landmarkS, new double[0][]);
    }

    /** Counts a value that is not negative, with the weight of now. Owner. */
    void record(long value, double weight) {
        double amount = value;
        add(totals, COUNT, 1);
        add(totals, SUM, amount);
        add(totals, SQUARES, amount * amount);
        if (amount < totals[MIN]) {
            NUMBER.setOpaque(totals, MIN, amount);
        }
        if (amount > totals[MAX]) {
            NUMBER.setOpaque(totals, MAX, amount);
        }
        int cell = cell(value >>> unitBits);
        add(octave(cell >>> CELL_BITS), cell & (CELLS - 1), weight);
    }

    /** Moves the landmark up before weights grow too large. Owner. */
    void rescale(long landmarkS) {
        Weights old = weights;
        weights = new Weights(landmarkS, scaled(old, landmarkS));
    }

    /** Takes up all that another one of this kind has. Owner of both, or before others see them. */
    void addAll(FadingHistogram other) {
        for (int i = 0; i < MIN; i++) {
            totals[i] += other.total(i);
        }
        totals[MIN] = Math.min(totals[MIN], other.total(MIN));
        totals[MAX] = Math.max(totals[MAX], other.total(MAX));
        double[][] added = scaled(other.weights, weights.landmarkS);
        for (int i = 0; i < added.length; i++) {
            double[] from = added[i];
            if (from.length > 0) {
                double[] to = octave(i);
                for (int j = 0; j < CELLS; j++) {
                    to[j] += from[j];
                }
            }
        }
    }

    /** One of {@link #COUNT}, {@link #SUM}, {@link #SQUARES}, {@link #MIN}, {@link #MAX}. Any thread. */
    double total(int which) {
        return (double) NUMBER.getOpaque(totals, which);
    }

    /** The second whose weight is 1. Any thread. */
    long landmarkS() {
        return weights.landmarkS;
    }

    /** The weights of all cells beside those of another landmark, which is not before this one's. Any thread. */
    double[][] weights(long landmarkS) {
        return scaled(weights, landmarkS);
    }

    /** The middle of a cell. */
    double value(int cell) {
        double unit = 1L << unitBits;
        if (cell < CELLS) {
            return cell * unit;
        }
        int shift = (cell >>> CELL_BITS) - 1;
        double first = Math.scalb((double) (CELLS + (cell & (CELLS - 1))), shift);
        return (first + (Math.scalb(1.0, shift) - 1) / 2) * unit;
    }

    private static int cell(long units) {
        if (units < CELLS) {
            return (int) units;
        }
        int shift = Long.SIZE - 1 - CELL_BITS - Long.numberOfLeadingZeros(units);
        return ((shift + 1) << CELL_BITS) + (int) (units >>> shift) - CELLS;
    }

    private double[] octave(int number) {
        double[][] octaves = weights.octaves;
        double[] found = number < octaves.length ? octaves[number] : NONE;
        return found.length > 0 ? found : newOctave(number);
    }

    private double[] newOctave(int number) {
        Weights old = weights;
        double[] added = new double[CELLS];
        if (number < old.octaves.length) {
            OCTAVE.setRelease(old.octaves, number, added);
        } else {
            double[][] grown = Arrays.copyOf(old.octaves, number + 1);
            Arrays.fill(grown, old.octaves.length, number, NONE);
            grown[number] = added;
            weights = new Weights(old.landmarkS, grown);
        }
        return added;
    }

    private static double[][] scaled(Weights from, long landmarkS) {
        double factor = Math.exp(ALPHA * (from.landmarkS - landmarkS));
        double[][] octaves = from.octaves;
        double[][] scaled = new double[octaves.length][];
        for (int i = 0; i < octaves.length; i++) {
            double[] octave = (double[]) OCTAVE.getAcquire(octaves, i);
            double[] cells = new double[octave.length];
            for (int j = 0; j < cells.length; j++) {
                cells[j] = factor * (double) NUMBER.getOpaque(octave, j);
            }
            scaled[i] = cells;
        }
        return scaled;
    }

    private static void add(double[] to, int index, double amount) {
        NUMBER.setOpaque(to, index, to[index] + amount);
    }
}
