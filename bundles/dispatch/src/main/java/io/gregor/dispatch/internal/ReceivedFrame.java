package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import java.nio.ByteBuffer;

/**
 * A frame as transport handed it in. Immutable but for the position of the bytes.
 *
 * @param connection where it came from
 * @param bytes the whole frame behind its length
 * @param receivedNs when its last byte had been read
 * @param onRelease run when the bytes are no longer used
 * @param inTurn whether the processor tells the end of its turn
 */
record ReceivedFrame(Connection connection, ByteBuffer bytes, long receivedNs, Runnable onRelease, boolean inTurn) {}
