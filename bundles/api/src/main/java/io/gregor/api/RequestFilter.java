package io.gregor.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Sees requests before their handler and responses before they are written, as an OSGi service with the properties of
 * {@link FiltersApis}. Filters of a request are called in the order of their {@code service.ranking}, the highest first; for
 * its response in the reverse order. So the highest one is next to the client on both ways.
 *
 * <p>Both methods are called on request handler threads, by many threads at a time for different requests. They may block
 * for as long as their budget lets them. A call that throws, comes back late or allocates too much is a fault, and too many
 * faults put the filter out; what becomes of the request then is what the filter has declared, see {@link FiltersApis}. A
 * filter's faults are contained, but it is no sandbox: it runs in the node's own process.
 */
@ConsumerType
public interface RequestFilter {
    /**
     * Sees a request. To do nothing lets it pass; the methods of the request change it, answer it or refuse it. Whoever has
     * answered or refused it is the last one to see the request, and the first one to see the response: filters behind it and
     * the handler are left out.
     *
     * @param request the request, valid during the call
     */
    default void filterRequest(FilteredRequest request) {}

    /**
     * Sees the response of a request that the filter has seen, with the changes of those before. To do nothing lets it pass.
     * Not called for requests that end without a response (acks=0) or with the end of the connection.
     *
     * <p>A filter that does not override this method costs nothing on the way back.
     *
     * @param response the response, valid during the call
     */
    default void filterResponse(FilteredResponse response) {}
}
