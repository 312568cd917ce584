package io.gregor.itest.plugins.trial;

import io.gregor.api.FilteredResponse;
import io.gregor.api.RequestFilter;
import org.apache.kafka.common.requests.DescribeClusterResponse;

/** Puts a mark in the place of the cluster's id, or throws. Immutable. */
public final class MarkingFilter implements RequestFilter {
    private final String mark;
    private final String way;

    MarkingFilter(String mark, String way) {
        this.mark = mark;
        this.way = way;
    }

    @Override
    public void filterResponse(FilteredResponse response) {
        if (way.equals("throws")) {
            throw new IllegalStateException("this filter always fails");
        }
        DescribeClusterResponse body = response.body(DescribeClusterResponse.class);
        response.replaceBody(new DescribeClusterResponse(body.data().setClusterId(mark)));
    }
}
