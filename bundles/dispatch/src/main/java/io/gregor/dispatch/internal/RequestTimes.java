package io.gregor.dispatch.internal;

import io.gregor.api.Request;

/** When what happened to one request, in nanoseconds of the clock of {@link Request#receivedNs}. Read when it is done. */
interface RequestTimes {
    /** The request. */
    Request request();

    /** A handler thread took it from the channel. */
    long dequeuedNs();

    /** The handler thread had done its part. */
    long localDoneNs();

    /** The response was ready. */
    long answeredNs();

    /** The processor took the response. */
    long responseDequeuedNs();

    /** The last byte was written. */
    long completedNs();
}
