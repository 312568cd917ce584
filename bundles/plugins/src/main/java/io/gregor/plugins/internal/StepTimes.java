package io.gregor.plugins.internal;

import java.util.concurrent.TimeUnit;

/** How long each step of a deployment took. Owned by the deployer thread. */
final class StepTimes {
    private final StringBuilder text = new StringBuilder();
    private long lastNs;

    StepTimes(long beganNs) {
        lastNs = beganNs;
    }

    /** A step is over. */
    void done(String step, long nowNs) {
        text.append(text.length() == 0 ? "" : " ")
                .append(step)
                .append("Ms=")
                .append(TimeUnit.NANOSECONDS.toMillis(nowNs - lastNs));
        lastNs = nowNs;
    }

    /** All steps, as {@code checkMs=2 installMs=5}. */
    @Override
    public String toString() {
        return text.toString();
    }
}
