package io.gregor.transport.internal;

import io.gregor.internal.request.FrameIntake;
import org.jspecify.annotations.Nullable;

/** Where the frames go just now. Shared: any thread. Empty while dispatch is away: frames then wait. */
public final class IntakeSlot {
    private volatile @Nullable FrameIntake current;

    /** Frames go there from now on. */
    public synchronized void fill(FrameIntake intake) {
        current = intake;
    }

    /** Empties the slot if it still has this intake. */
    public synchronized void empty(FrameIntake intake) {
        if (current == intake) {
            current = null;
        }
    }

    /** The intake of the moment, null while there is none. */
    public @Nullable FrameIntake current() {
        return current;
    }
}
