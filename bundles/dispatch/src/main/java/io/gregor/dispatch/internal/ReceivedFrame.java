package io.gregor.dispatch.internal;

import java.nio.ByteBuffer;

/**
 * A frame behind its header. Immutable but for the bytes' position.
 *
 * @param bytes the whole frame
 * @param bodyStart where the body begins in it
 * @param receivedNs when its last byte had been read
 * @param onRelease run when the bytes are no longer used
 */
record ReceivedFrame(ByteBuffer bytes, int bodyStart, long receivedNs, Runnable onRelease) {}
