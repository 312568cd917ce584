package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;

/**
 * Bounds the bytes of all requests of a role that are read or about to be read ({@code queued.max.request.bytes}). A frame
 * reserves its announced size before it is read on, so that no two half frames wait for each other; who does not get it
 * waits in line, so that a large frame is not passed by small ones for ever. Shared: any thread.
 */
public final class RequestMemory {
    private final long limitBytes;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ArrayDeque<Reservation> line = new ArrayDeque<>();

    @GuardedBy("lock")
    private long reservedBytes;

    /** Bounds to this many bytes; not at all if it is not positive. */
    public RequestMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Whether there is a bound; without one nothing need be reserved. */
    boolean isBounded() {
        return limitBytes > 0;
    }

    /** A reservation, granted or in line; {@code onGranted} is called if it is granted later, by any thread. */
    Reservation reserve(int bytes, Runnable onGranted) {
        synchronized (lock) {
            Reservation reservation = new Reservation(bytes, onGranted);
            if (line.isEmpty() && fits(bytes)) {
                grant(reservation);
            } else {
                line.add(reservation);
            }
            return reservation;
        }
    }

    /** Gives a granted reservation back, or leaves the line. Doing so again has no effect. */
    void release(Reservation reservation) {
        ArrayDeque<Reservation> granted = new ArrayDeque<>();
        synchronized (lock) {
            if (reservation.released) {
                return;
            }
            reservation.released = true;
            if (reservation.granted) {
                reservedBytes -= reservation.bytes;
            } else {
                line.remove(reservation);
            }
            while (!line.isEmpty() && fits(line.element().bytes)) {
                Reservation next = line.remove();
                grant(next);
                granted.add(next);
            }
        }
        granted.forEach(next -> next.onGranted.run());
    }

    @GuardedBy("lock")
    private boolean fits(int bytes) {
        // a frame above the whole bound passes alone, or it would wait for ever
        return reservedBytes + bytes <= limitBytes || reservedBytes == 0;
    }

    @GuardedBy("lock")
    private void grant(Reservation reservation) {
        reservation.granted = true;
        reservedBytes += reservation.bytes;
    }

    /** The memory of one frame. Shared: any thread. */
    static final class Reservation {
        private final int bytes;
        private final Runnable onGranted;
        private volatile boolean granted;
        private boolean released;

        private Reservation(int bytes, Runnable onGranted) {
            this.bytes = bytes;
            this.onGranted = onGranted;
        }

        /** Whether the bytes may be read. */
        boolean isGranted() {
            return granted;
        }
    }
}
