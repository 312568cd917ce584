package io.gregor.itest.plugins.trial;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Answers DescribeCluster with a mark in the place of the cluster's id, well or badly. Immutable. */
public final class MarkingHandler implements RequestHandler {
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String mark;
    private final String way;

    MarkingHandler(String mark, String way) {
        this.mark = mark;
        this.way = way;
    }

    @Override
    public void handle(Request request) {
        DescribeClusterResponseData answer = new DescribeClusterResponseData().setClusterId(mark);
        if (way.equals("errors")) {
            answer.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        } else if (way.equals("slow")) {
            LockSupport.parkNanos(SLOW_NS);
        }
        request.respond(answer);
    }
}
