package io.gregor.transport.internal;

/**
 * What one processor counts of its work. Owned by the processor thread, which alone counts; shared: any thread reads.
 * Kafka's words are those of a client: what it calls a request is a response that was sent, and the other way round.
 */
final class NetworkCounters {
    /** The sleep on the selector. */
    final TimeShare waiting;

    /** Nanoseconds of reading and writing, and all else but sleeping and handing frames to dispatch. */
    final WindowedSum ioNs;

    final WindowedSum selects;
    final WindowedSum bytesRead;
    final WindowedSum bytesWritten;

    /** Reads and writes that moved bytes. */
    final WindowedSum transfers;

    final WindowedSum framesReceived;
    final WindowedSum responsesSent;
    final WindowedMax largestResponse;
    final WindowedSum created;
    final WindowedSum closed;
    final WindowedSum expired;
    final WindowedSum authenticated;
    final WindowedSum authenticatedForGood;
    final WindowedSum authenticationFailures;
    final WindowedSum reauthenticated;
    final WindowedSum reauthenticationFailures;
    final WindowedSum reauthenticationMs;
    final WindowedMax slowestReauthentication;

    private long turnBeganNs;
    private long asideNs;

    NetworkCounters(SampleWindows windows) {
        waiting = new TimeShare(windows);
        ioNs = new WindowedSum(windows);
        selects = new WindowedSum(windows);
        bytesRead = new WindowedSum(windows);
        bytesWritten = new WindowedSum(windows);
        transfers = new WindowedSum(windows);
        framesReceived = new WindowedSum(windows);
        responsesSent = new WindowedSum(windows);
        largestResponse = new WindowedMax(windows);
        created = new WindowedSum(windows);
        closed = new WindowedSum(windows);
        expired = new WindowedSum(windows);
        authenticated = new WindowedSum(windows);
        authenticatedForGood = new WindowedSum(windows);
        authenticationFailures = new WindowedSum(windows);
        reauthenticated = new WindowedSum(windows);
        reauthenticationFailures = new WindowedSum(windows);
        reauthenticationMs = new WindowedSum(windows);
        slowestReauthentication = new WindowedMax(windows);
        turnBeganNs = windows.startNs();
    }

    /** The thread goes to sleep on the selector. */
    void sleeps(long nowNs) {
        waiting.begin(nowNs);
        asideNs -= nowNs;
    }

    /** It is awake. */
    void wakes(long nowNs) {
        waiting.end(nowNs);
        asideNs += nowNs;
    }

    /** Time of this turn that is not for the connections' bytes. */
    void aside(long ns) {
        asideNs += ns;
    }

    /** A turn of the loop is over. */
    void turnEnds(long nowNs) {
        selects.add(1, nowNs);
        ioNs.add(Math.max(0, nowNs - turnBeganNs - asideNs), nowNs);
        turnBeganNs = nowNs;
        asideNs = 0;
    }

    /** A client was authenticated, for the first time or again. */
    void authenticated(SecureChannel channel, long nowNs) {
        if (channel.isReauthentication()) {
            reauthenticated.add(1, nowNs);
            reauthenticationMs.add(channel.reauthenticationMs(), nowNs);
            slowestReauthentication.note(channel.reauthenticationMs(), nowNs);
        } else {
            authenticated.add(1, nowNs);
            authenticatedForGood.add(channel.canReauthenticate() ? 0 : 1, nowNs);
        }
    }

    /** An authentication failed, or a handshake below it. */
    void authenticationFailed(SecureChannel channel, long nowNs) {
        if (channel.isReauthentication()) {
            reauthenticationFailures.add(1, nowNs);
        } else {
            authenticationFailures.add(1, nowNs);
        }
    }

    /** Bytes came. */
    void read(long bytes, long nowNs) {
        bytesRead.add(bytes, nowNs);
        transfers.add(1, nowNs);
    }

    /** Bytes went. */
    void written(long bytes, long nowNs) {
        bytesWritten.add(bytes, nowNs);
        transfers.add(1, nowNs);
    }

    /** The last byte of a response went. */
    void sent(long responseBytes, long nowNs) {
        responsesSent.add(1, nowNs);
        largestResponse.note(responseBytes, nowNs);
    }
}
