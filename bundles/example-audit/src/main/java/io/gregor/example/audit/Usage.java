package io.gregor.example.audit;

/**
 * What somebody did. Immutable.
 *
 * @param requests how many requests of Produce and Fetch
 * @param bytesIn bytes of the requests, without headers
 * @param bytesOut bytes of the responses, without headers
 * @param errors how many partitions were answered with an error
 * @param throttleMs how long the responses told the client to hold back, in milliseconds, all together
 */
record Usage(long requests, long bytesIn, long bytesOut, long errors, long throttleMs) {
    static final Usage NONE = new Usage(0, 0, 0, 0, 0);

    /** A request of so many bytes. */
    static Usage request(long bytes) {
        return new Usage(1, bytes, 0, 0, 0);
    }

    /** A response. */
    static Usage response(long bytes, long errors, long throttleMs) {
        return new Usage(0, 0, bytes, errors, throttleMs);
    }

    Usage plus(Usage other) {
        return new Usage(
                requests + other.requests,
                bytesIn + other.bytesIn,
                bytesOut + other.bytesOut,
                errors + other.errors,
                throttleMs + other.throttleMs);
    }

    /** Bytes in both directions: who moves more is kept by name. */
    long bytes() {
        return bytesIn + bytesOut;
    }
}
