package io.gregor.itest.plugins.filters;

import io.gregor.api.FilteredRequest;
import io.gregor.api.RequestFilter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Filters that do not do what they should. Shared: any thread. */
public enum Fault implements RequestFilter {
    /** Throws. */
    THROWS {
        @Override
        public void filterRequest(FilteredRequest request) {
            throw new IllegalStateException("planned by the test");
        }
    },
    /** Comes back after its time. */
    LATE {
        @Override
        public void filterRequest(FilteredRequest request) {
            long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(80);
            while (System.nanoTime() - untilNs < 0) {
                LockSupport.parkNanos(untilNs - System.nanoTime());
            }
        }
    },
    /** Does not come back. */
    NEVER {
        private final CountDownLatch forever = new CountDownLatch(1);

        @Override
        public void filterRequest(FilteredRequest request) {
            while (forever.getCount() > 0) {
                LockSupport.park(forever);
            }
        }
    },
    /** Allocates 100 MB that nobody uses. */
    GREEDY {
        private static final int PIECES = 100;
        private static final int PIECE_BYTES = 1024 * 1024;

        private byte[] last = new byte[0];

        @Override
        public void filterRequest(FilteredRequest request) {
            for (int i = 0; i < PIECES; i++) {
                last = new byte[PIECE_BYTES + last.length % 2];
            }
        }
    }
}
