package io.gregor.handlers.admin.internal;

import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.requests.ApiError;

/** Turns what a check throws into what a client is told. Immutable. */
public final class Refusal {
    private Refusal() {}

    /** The error that a check ends with; none if it does not. */
    public static ApiError of(Runnable check) {
        try {
            check.run();
            return ApiError.NONE;
        } catch (ApiException refused) {
            return ApiError.fromThrowable(refused);
        }
    }
}
