package io.gregor.internal.request;

import org.apache.kafka.common.network.Send;

/** What goes from dispatch back to a connection; its callbacks run on the processor thread. */
public interface Outgoing {
    /** The kinds of response. */
    enum Kind {
        /** Bytes to write; the connection is unmuted when the last one is written. */
        SEND,
        /** Nothing to write (acks=0): the connection is unmuted at once. */
        NOTHING,
        /** The connection is closed. */
        CLOSE,
        /** The connection is throttled from now on. */
        START_THROTTLE,
        /** The connection is no longer throttled. */
        END_THROTTLE
    }

    /** Which kind this is; constant. */
    Kind kind();

    /** The bytes, length first; only of {@link Kind#SEND}. Called once. */
    Send send();

    /** When a throttle time is to end, of {@link Kind#START_THROTTLE}; nanoseconds of {@code System.nanoTime}, 0 if not known. */
    default long throttledUntilNs() {
        return 0;
    }

    /** The processor has taken it from its response queue. */
    void dequeued(long nowNs);

    /** It is done: the last byte is with the operating system, or nothing was to be written, or the connection closed. */
    void completed(long nowNs);

    /** The connection was gone before it was done. */
    void dropped();
}
