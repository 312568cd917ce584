package io.gregor.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * The service properties of a {@link RequestHandler}: which API keys it serves, in which role. Put on a component class
 * beside {@code @Component}; becomes the properties {@code api.key}, {@code role}, {@code api.min.version},
 * {@code api.max.version} and {@code api.brief}.
 */
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ServesApi {
    /**
     * The API keys that are served.
     *
     * @return numbers of Kafka's own APIs (0 to 9999) or of new ones (10000 to 32767)
     */
    int[] api_key();

    /**
     * The roles whose listeners offer the API.
     *
     * @return {@code broker}, {@code controller} or both
     */
    String[] role() default "broker";

    /**
     * The oldest version that is served; for new API keys only, Kafka's own have the versions of the protocol.
     *
     * @return 0 to 32767
     */
    int api_min_version() default 0;

    /**
     * The newest version that is served; for new API keys only.
     *
     * @return 0 to 32767, not below the oldest
     */
    int api_max_version() default 0;

    /**
     * Whether the handler always returns within microseconds: it answers from memory or hands the request over, and waits
     * for no lock, disk or other thread. While a thread runs such a handler, no second thread is woken for the requests
     * that come meanwhile.
     *
     * @return true if it never keeps its thread
     */
    boolean api_brief() default false;
}
