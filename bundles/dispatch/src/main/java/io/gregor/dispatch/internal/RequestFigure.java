package io.gregor.dispatch.internal;

/** What is measured of each request, under Kafka's names. Immutable. */
enum RequestFigure {
    REQUEST_QUEUE_TIME(0, "RequestQueueTimeMs", true),
    LOCAL_TIME(1, "LocalTimeMs", true),
    REMOTE_TIME(2, "RemoteTimeMs", true),
    THROTTLE_TIME(3, "ThrottleTimeMs", true),
    RESPONSE_QUEUE_TIME(4, "ResponseQueueTimeMs", true),
    RESPONSE_SEND_TIME(5, "ResponseSendTimeMs", true),
    TOTAL_TIME(6, "TotalTimeMs", true),
    REQUEST_BYTES(7, "RequestBytes", false),
    /** Of Produce and Fetch only, as the next one. */
    MESSAGE_CONVERSIONS_TIME(8, "MessageConversionsTimeMs", true),
    TEMPORARY_MEMORY(9, "TemporaryMemoryBytes", false);

    /** Times are kept in nanoseconds, in steps of about a microsecond. */
    private static final int TIME_UNIT_BITS = 10;

    private static final double MS_PER_NS = 1e-6;

    private final int place;
    private final String beanName;
    private final boolean isTime;

    RequestFigure(int place, String beanName, boolean isTime) {
        this.place = place;
        this.beanName = beanName;
        this.isTime = isTime;
    }

    /** Its place among them all, from 0 up. */
    int place() {
        return place;
    }

    /** The {@code name} of its MBeans. */
    String beanName() {
        return beanName;
    }

    /** Whether only those APIs have it that carry records. */
    boolean isOfRecords() {
        return compareTo(REQUEST_BYTES) > 0;
    }

    /** How many low bits of its values do not matter. */
    int unitBits() {
        return isTime ? TIME_UNIT_BITS : 0;
    }

    /** What its values are multiplied with to be shown. */
    double shownPerUnit() {
        return isTime ? MS_PER_NS : 1;
    }
}
