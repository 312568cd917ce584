package io.gregor.internal.request;

import java.nio.ByteBuffer;

/** Where transport hands its frames in. A service of dispatch, with the property {@code role}. */
public interface FrameIntake {
    /**
     * Takes one complete frame: looks at its header, builds the request and queues it. Processor thread; blocks while the
     * request channel is full, and on nothing else.
     *
     * @param connection where it came from
     * @param frame the bytes after the length, from position to limit; handed over, not used by the caller again
     * @param nowNs {@code System.nanoTime} when the last byte had been read
     * @param onRelease run once, on any thread, when the buffer is no longer used
     * @return what becomes of the connection; never throws for bad bytes
     */
    Verdict take(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease);

    /**
     * The same, when the processor will call {@link #endTurn} before it sleeps or waits: handler threads may be woken then,
     * one for all frames of the turn instead of one for each.
     */
    default Verdict takeInTurn(Connection connection, ByteBuffer frame, long nowNs, Runnable onRelease) {
        return take(connection, frame, nowNs, onRelease);
    }

    /** Wakes handler threads for the frames of {@link #takeInTurn}. Processor thread; never blocks. */
    default void endTurn() {}
}
