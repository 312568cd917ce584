package io.gregor.itest.requests.gate;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.DescribeClusterResponseData;

/** Serves DescribeCluster as slowly as the test wants. Shared: any thread. */
public final class Gate implements GateMBean, RequestHandler {
    private static final long LIMIT_SECONDS = 60;

    private final CountDownLatch isOpen = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();

    @Override
    public void handle(Request request) {
        waiting.incrementAndGet();
        try {
            if (isOpen.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                request.respond(new DescribeClusterResponseData());
            } else {
                request.closeConnection();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            request.closeConnection();
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public int getWaiting() {
        return waiting.get();
    }

    @Override
    public void open() {
        isOpen.countDown();
    }
}
