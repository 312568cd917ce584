package io.gregor.share.internal;

/**
 * A batch of the log as it was read. Immutable.
 *
 * @param position where it is in what was read, in bytes
 * @param isForMembers false for control batches and those of aborted transactions
 */
record ReadBatch(long first, long last, int position, int sizeBytes, boolean isForMembers) {}
