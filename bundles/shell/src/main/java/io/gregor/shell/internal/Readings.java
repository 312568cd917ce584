package io.gregor.shell.internal;

import io.gregor.internal.dispatch.DispatchView.Figures;

/**
 * The figures of a role that tell what holds its requests up. Immutable.
 *
 * @param requests how many came in about the last minute; NaN if nobody counts
 * @param figures where requests spend their time
 * @param handlerThreads {@code num.io.threads}
 * @param networkIdleRatio how much of their time processors slept: 1 is all of it
 * @param processors the most that a listener has
 * @param machine what the machine says of itself
 */
public record Readings(
        double requests,
        Figures figures,
        int handlerThreads,
        double networkIdleRatio,
        int processors,
        Machine machine) {}
