package io.gregor.dispatch.internal;

import io.gregor.api.FilteredRequest;
import io.gregor.api.FilteredResponse;
import io.gregor.api.RequestFilter;
import java.util.function.Consumer;

/** Filters that do what the test says. */
final class Filters {
    private Filters() {}

    static RequestFilter onRequest(Consumer<FilteredRequest> work) {
        return new RequestFilter() {
            @Override
            public void filterRequest(FilteredRequest request) {
                work.accept(request);
            }
        };
    }

    static RequestFilter onResponse(Consumer<FilteredResponse> work) {
        return new RequestFilter() {
            @Override
            public void filterResponse(FilteredResponse response) {
                work.accept(response);
            }
        };
    }

    static RequestFilter onBoth(Consumer<FilteredRequest> there, Consumer<FilteredResponse> back) {
        return new RequestFilter() {
            @Override
            public void filterRequest(FilteredRequest request) {
                there.accept(request);
            }

            @Override
            public void filterResponse(FilteredResponse response) {
                back.accept(response);
            }
        };
    }
}
