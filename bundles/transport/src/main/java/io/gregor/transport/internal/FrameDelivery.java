package io.gregor.transport.internal;

import io.gregor.internal.request.FrameIntake;
import io.gregor.internal.request.Verdict;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Hands the frames of one processor to dispatch, so that one call of a handler thread does for all frames of a turn. Owned by
 * the processor thread.
 */
final class FrameDelivery {
    private final ServiceSlot<FrameIntake> slot;
    private final Time time;
    private final NetworkCounters counters;
    private boolean moreFollow;
    private boolean unsettled;
    private boolean handedOver;

    FrameDelivery(ServiceSlot<FrameIntake> slot, Time time, NetworkCounters counters) {
        this.slot = slot;
        this.time = time;
        this.counters = counters;
    }

    /** Says whether other connections are gone on with before {@link #settle}. */
    void moreFollow(boolean follow) {
        moreFollow = follow;
    }

    /** Where frames go just now; null while dispatch is away. */
    @Nullable
    FrameIntake intake() {
        return slot.current();
    }

    /** Hands a frame over; blocks while the request channel is full. */
    Verdict hand(FrameIntake intake, ClientConnection connection, ByteBuffer frame, long nowNs, Runnable releaser) {
        unsettled = moreFollow;
        Verdict verdict = moreFollow
                ? intake.takeInTurn(connection, frame, nowNs, releaser)
                : intake.take(connection, frame, nowNs, releaser);
        handedOver |= verdict == Verdict.QUEUED;
        counters.framesReceived.add(1, nowNs);
        counters.aside(time.nanoseconds() - nowNs);
        return verdict;
    }

    /** Has a handler thread called for the frames that were handed over, if it was not yet. */
    void settle() {
        if (unsettled) {
            unsettled = false;
            FrameIntake intake = slot.current();
            if (intake != null) {
                intake.endTurn();
            }
        }
    }

    /** Whether a request was queued since it was asked last. */
    boolean takeHandedOver() {
        boolean since = handedOver;
        handedOver = false;
        return since;
    }
}
