package io.gregor.dispatch.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Immutable. What the histograms of one figure have counted together, at the moment when it was made. */
final class Distribution {
    private final double count;
    private final double sum;
    private final double squares;
    private final double min;
    private final double max;
    private final long landmarkS;
    private final double[] weights;
    private final double totalWeight;
    private final @Nullable FadingHistogram scale;

    private Distribution(List<FadingHistogram> parts) {
        double allCounts = 0;
        double allSums = 0;
        double allSquares = 0;
        double smallest = Double.MAX_VALUE;
        double largest = 0;
        long newest = Long.MIN_VALUE;
        for (FadingHistogram part : parts) {
            allCounts += part.total(FadingHistogram.COUNT);
            allSums += part.total(FadingHistogram.SUM);
            allSquares += part.total(FadingHistogram.SQUARES);
            smallest = Math.min(smallest, part.total(FadingHistogram.MIN));
            largest = Math.max(largest, part.total(FadingHistogram.MAX));
            newest = Math.max(newest, part.landmarkS());
        }
        count = allCounts;
        sum = allSums;
        squares = allSquares;
        min = allCounts == 0 ? 0 : smallest;
        max = largest;
        landmarkS = newest;
        scale = parts.isEmpty() ? null : parts.get(0);
        weights = together(parts, newest);
        double all = 0;
        for (double weight : weights) {
            all += weight;
        }
        totalWeight = all;
    }

    /** Reads histograms of one kind. */
    static Distribution of(List<FadingHistogram> parts) {
        return new Distribution(parts);
    }

    private static double[] together(List<FadingHistogram> parts, long landmarkS) {
        List<double[][]> all = new ArrayList<>(parts.size());
        int octaves = 0;
        for (FadingHistogram part : parts) {
            double[][] one = part.weights(landmarkS);
            octaves = Math.max(octaves, one.length);
            all.add(one);
        }
        double[] sums = new double[octaves << FadingHistogram.CELL_BITS];
        for (double[][] one : all) {
            for (int i = 0; i < one.length; i++) {
                double[] octave = one[i];
                for (int j = 0; j < octave.length; j++) {
                    sums[(i << FadingHistogram.CELL_BITS) + j] += octave[j];
                }
            }
        }
        return sums;
    }

    /** How many values ever came. */
    long count() {
        return (long) count;
    }

    /** The smallest that ever came; 0 if none. */
    double min() {
        return min;
    }

    /** The largest that ever came; 0 if none. */
    double max() {
        return max;
    }

    /** The mean of all that ever came; 0 if none. */
    double mean() {
        return count == 0 ? 0 : sum / count;
    }

    /** The standard deviation of all that ever came; 0 if there are not two. */
    double stdDev() {
        return count < 2 ? 0 : Math.sqrt(Math.max(0, squares - sum * sum / count) / (count - 1));
    }

    /** The value that so much of the weight does not exceed: recent values count more; 0 if none came. */
    double percentile(double quantile) {
        if (scale == null || totalWeight == 0) {
            return 0;
        }
        double wanted = quantile * totalWeight;
        double seen = 0;
        int last = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                last = i;
                seen += weights[i];
                if (seen >= wanted) {
                    break;
                }
            }
        }
        return Math.min(max, Math.max(min, scale.value(last)));
    }

    /** How many values have not faded yet: what came a minute ago counts about half. */
    double recentCount(long nowS) {
        return totalWeight * Math.exp(FadingHistogram.ALPHA * (landmarkS - nowS));
    }
}
