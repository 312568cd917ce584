package io.gregor.dispatch.internal;

import io.gregor.api.Request;

/**
 * When what happened to one request, in nanoseconds of the clock of {@link Request#receivedNs}, and how long it took, where
 * Kafka takes it. Read when it is done.
 */
interface RequestTimes {
    /** The request that was answered; of an envelope the one inside. */
    ParsedRequest subject();

    /** Whether that came in an envelope. */
    boolean isForwarded();

    /** Whether it ends with its connection. */
    boolean isClosing();

    /** When its last byte had been read. */
    long receivedNs();

    /** A handler thread took it from the channel. */
    long dequeuedNs();

    /** The handler thread had done its part. */
    long localDoneNs();

    /** How long handler threads worked on it later. */
    long followUpNs();

    /** The response was ready. */
    long answeredNs();

    /** The processor took the response. */
    long responseDequeuedNs();

    /** The last byte was written. */
    long completedNs();

    /** How long it waited in the request channel. */
    default long requestQueueNs() {
        return Math.max(0, dequeuedNs() - receivedNs());
    }

    /** How long handler threads worked on it. */
    default long localNs() {
        return Math.max(0, localDoneNs() - dequeuedNs() + followUpNs());
    }

    /** How long it waited for something else than a handler thread. */
    default long remoteNs() {
        return Math.max(0, answeredNs() - localDoneNs() - followUpNs());
    }

    /** How long its response waited for the processor. */
    default long responseQueueNs() {
        return Math.max(0, responseDequeuedNs() - answeredNs());
    }

    /** How long its response was written. */
    default long responseSendNs() {
        return Math.max(0, completedNs() - responseDequeuedNs());
    }

    /** From its last byte to the last one of its response. */
    default long totalNs() {
        return Math.max(0, completedNs() - receivedNs());
    }
}
