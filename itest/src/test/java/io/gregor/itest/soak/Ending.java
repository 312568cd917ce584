package io.gregor.itest.soak;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When the work is to end. Shared: any thread. */
final class Ending {
    private final CountDownLatch over = new CountDownLatch(1);

    /** Whether it is time to end. */
    boolean isOver() {
        return over.getCount() == 0;
    }

    /** The same after a pause, which ends early if it is. */
    boolean isOverAfter(long pauseMs) throws InterruptedException {
        return over.await(pauseMs, TimeUnit.MILLISECONDS);
    }

    /** It is time. */
    void end() {
        over.countDown();
    }
}
