package io.gregor.dispatch.internal;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * A request that is answered once, and counted as in hand by the bundle of the handler that has returned without an answer.
 * Handed from thread to thread; who answers it is decided by {@code state}.
 */
abstract class AnsweredRequest extends NotedRequest {
    private static final AtomicIntegerFieldUpdater<AnsweredRequest> STATE =
            AtomicIntegerFieldUpdater.newUpdater(AnsweredRequest.class, "state");

    private static final AtomicReferenceFieldUpdater<AnsweredRequest, HandlerBundle> BUNDLE =
            AtomicReferenceFieldUpdater.newUpdater(AnsweredRequest.class, HandlerBundle.class, "bundle");

    /** States: given to nobody, or to a handler that has not returned; unanswered when it had returned; answered. */
    private static final int OPEN = 0;

    private static final int AWAITED = 1;
    private static final int ANSWERED = 2;

    private volatile int state;
    private volatile @Nullable HandlerBundle bundle;
    private long givenNs;

    AnsweredRequest(RequestContext context, int bodySize) {
        super(context, bodySize);
    }

    /** Whether one of the responding methods was called. */
    final boolean isAnswered() {
        return state == ANSWERED;
    }

    /** Is for one answer only: the first. Before anything is done to give it. */
    final void claim() {
        int before = STATE.getAndSet(this, ANSWERED);
        if (before == ANSWERED) {
            throw new IllegalStateException("answered before, an answer is given once: " + this);
        }
        HandlerBundle giver = bundle;
        if (before == AWAITED && giver != null) {
            giver.answered();
        }
    }

    /**
     * A handler of this bundle is about to get it. By the handler thread; it is seen by others at once, as good as.
     *
     * @param nowNs the time; 0 if it is that of the handler thread's taking the request
     */
    final void givenTo(HandlerBundle taker, long nowNs) {
        givenNs = nowNs;
        BUNDLE.lazySet(this, taker);
    }

    /** The handler has returned: from now on a request without an answer is one that its bundle has in hand. */
    final void handlerReturned() {
        HandlerBundle taker = bundle;
        if (taker != null && state == OPEN) {
            taker.awaits();
            if (!STATE.compareAndSet(this, OPEN, AWAITED)) {
                taker.answered();
            }
        }
    }

    /** The bundle of the handler that got it; null if none did. */
    final @Nullable HandlerBundle bundle() {
        return bundle;
    }

    /** When its handler got it; 0 if it was when the handler thread took it. */
    final long givenNs() {
        return givenNs;
    }
}
