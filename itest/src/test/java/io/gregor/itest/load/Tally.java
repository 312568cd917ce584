package io.gregor.itest.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Counts what a load sees. Owned by the load's thread. */
final class Tally {
    private static final int FAULTS_KEPT = 10;

    private final List<String> faults = new ArrayList<>();
    private long answered;
    private long produced;
    private long failed;
    private long unanswered;
    private long dropped;
    private long worstNs;

    void answered(boolean isProduce, long extraNs) {
        answered++;
        produced += isProduce ? 1 : 0;
        worstNs = Math.max(worstNs, extraNs);
    }

    void failed(String why) {
        failed++;
        keep(why);
    }

    void unanswered(int requests, String why) {
        failed += requests;
        unanswered += requests;
        keep(why);
    }

    void dropped(String why) {
        dropped++;
        keep(why);
    }

    private void keep(String why) {
        if (faults.size() < FAULTS_KEPT) {
            faults.add(why);
        }
    }

    /** The figures since the last call. */
    Figures take() {
        Figures figures = new Figures(
                answered,
                produced,
                failed,
                unanswered,
                dropped,
                worstNs / (double) TimeUnit.MILLISECONDS.toNanos(1),
                List.copyOf(faults));
        faults.clear();
        answered = 0;
        produced = 0;
        failed = 0;
        unanswered = 0;
        dropped = 0;
        worstNs = 0;
        return figures;
    }
}
