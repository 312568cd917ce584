package io.gregor.shell.internal;

/**
 * What the machine says of itself. Immutable. NaN where it says nothing.
 *
 * @param flushTimeP99Ms 99 of 100 flushes of a log took no longer
 * @param flushingThreads how many threads were in a flush of a log just now, on the average of a second
 * @param diskWaitRatio in how much of the last minute some task of the machine waited for a disk
 * @param processorWaitRatio the same for a processor
 */
public record Machine(double flushTimeP99Ms, double flushingThreads, double diskWaitRatio, double processorWaitRatio) {}
