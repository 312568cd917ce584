package io.gregor.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * The service properties of a {@link RequestFilter}: what it sees, and its budget. Put on a component class beside
 * {@code @Component}; becomes the properties {@code api.key}, {@code role}, {@code listener}, {@code principal},
 * {@code filter.fails}, {@code filter.time.ms}, {@code filter.limit.ms}, {@code filter.allocated.bytes},
 * {@code filter.faults} and {@code filter.window.ms}. A filter with a value that is wrong is out from the beginning, which
 * the log says in one line with the value and what would be right.
 */
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface FiltersApis {
    /**
     * The API keys whose requests and responses it sees.
     *
     * @return numbers of Kafka's own APIs (0 to 9999) or of new ones (10000 to 32767)
     */
    int[] api_key();

    /**
     * The roles whose listeners it sees.
     *
     * @return {@code broker}, {@code controller} or both
     */
    String[] role() default "broker";

    /**
     * The listeners whose requests it sees, by name.
     *
     * @return names as in {@code listeners}; none stands for all
     */
    String[] listener() default {};

    /**
     * The principals whose requests it sees.
     *
     * @return principals as {@code User:alice}; none stands for all
     */
    String[] principal() default {};

    /**
     * What becomes of a request or response with which the filter throws, and of all its requests while it is out:
     * {@code open} lets them pass as they were before this filter, {@code closed} refuses them with the error
     * POLICY_VIOLATION in the error response of the API; where there is no such response (acks=0, a new API key), the
     * connection is closed. A call that is late or allocates too much has done its work: its result counts. A request whose
     * filter does not return is refused with REQUEST_TIMED_OUT in both cases.
     *
     * @return {@code open} or {@code closed}; anything else is wrong and counts as {@code closed}
     */
    String filter_fails() default "open";

    /**
     * What one call may take. A call that takes longer is a fault when it returns; its result counts.
     *
     * @return milliseconds, 1 or more
     */
    long filter_time_ms() default 100;

    /**
     * When a call that has not returned is given up: its thread is replaced, its request fails, and the filter is out.
     *
     * @return milliseconds, not below {@link #filter_time_ms}
     */
    long filter_limit_ms() default 5_000;

    /**
     * What one call may allocate, garbage or not. A call that allocates more is a fault when it returns; its result counts.
     *
     * @return bytes, 1 or more
     */
    long filter_allocated_bytes() default 16 * 1024 * 1024;

    /**
     * So many faults within {@link #filter_window_ms} put the filter out, until its bundle is replaced or tried again.
     *
     * @return 1 or more
     */
    int filter_faults() default 5;

    /**
     * The window in which faults are counted.
     *
     * @return milliseconds, 1 or more
     */
    long filter_window_ms() default 60_000;
}
