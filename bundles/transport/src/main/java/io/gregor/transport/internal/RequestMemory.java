package io.gregor.transport.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import org.apache.kafka.common.utils.Time;

/**
 * Bounds the bytes of all requests of a role that are read or about to be read ({@code queued.max.request.bytes}). Who does
 * not get what it needs waits in line, so that a large frame is not passed by small ones for ever. Shared: any thread.
 *
 * <p>A frame reserves its announced size before it is read on, so that no two half frames wait for each other. A large one
 * first reserves no more than its begin, and the rest when that has come: to announce a size costs nothing, and must not keep
 * others waiting. Who waits for the rest goes first; if no frame has all that it needs, one gets it, whatever the bound.
 */
public final class RequestMemory {
    /** Frames up to this size are reserved at once, larger ones begin with it. */
    static final int BEGIN_BYTES = 16 * 1024;

    private final Time time;
    private final TimeShare depleted;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final ArrayDeque<Reservation> line = new ArrayDeque<>();

    @GuardedBy("lock")
    private long reservedBytes;

    @GuardedBy("lock")
    private int wholeFrames;

    private volatile long limitBytes;

    /** Bounds to this many bytes; not at all if it is not positive. */
    public RequestMemory(long limitBytes, Time time, SampleWindows windows) {
        this.limitBytes = limitBytes;
        this.time = time;
        this.depleted = new TimeShare(windows);
    }

    /** Whether there is a bound; without one nothing need be reserved. */
    boolean isBounded() {
        return limitBytes > 0;
    }

    /** Another bound from now on; what is reserved stays so until it is given back. */
    void limit(long nextBytes) {
        ArrayDeque<Reservation> granted;
        synchronized (lock) {
            limitBytes = nextBytes;
            granted = serveLine();
        }
        granted.forEach(next -> next.onGranted.run());
    }

    /** How much can be reserved just now; without a bound as much as one likes. */
    long availableBytes() {
        synchronized (lock) {
            return isBounded() ? Math.max(0, limitBytes - reservedBytes) : Long.MAX_VALUE;
        }
    }

    /** How much is reserved just now. */
    long reservedBytes() {
        synchronized (lock) {
            return reservedBytes;
        }
    }

    /** When frames had to wait. */
    TimeShare depleted() {
        return depleted;
    }

    /**
     * A reservation for a frame of this size, granted or in line; {@code onGranted} is called when it is granted later, by any
     * thread. For a large frame it is one for the begin: {@link #reserveRest} follows.
     */
    Reservation reserve(int frameBytes, Runnable onGranted) {
        Reservation reservation = new Reservation(frameBytes, onGranted);
        synchronized (lock) {
            if (line.isEmpty() && fits(reservation)) {
                grant(reservation);
            } else {
                join(reservation, false);
            }
        }
        return reservation;
    }

    /** Asks for the rest of a frame whose begin is reserved: granted, or in line again. */
    void reserveRest(Reservation reservation) {
        synchronized (lock) {
            reservation.granted = false;
            reservation.wantedBytes = reservation.frameBytes;
            if (fits(reservation)) {
                grant(reservation);
            } else {
                join(reservation, true);
            }
        }
    }

    /** Gives a reservation back, or leaves the line. Doing so again has no effect. */
    void release(Reservation reservation) {
        ArrayDeque<Reservation> granted;
        synchronized (lock) {
            if (reservation.released) {
                return;
            }
            reservation.released = true;
            reservedBytes -= reservation.heldBytes;
            wholeFrames -= reservation.isWhole() ? 1 : 0;
            if (!reservation.granted && line.remove(reservation)) {
                noteLine();
            }
            granted = serveLine();
        }
        granted.forEach(next -> next.onGranted.run());
    }

    @GuardedBy("lock")
    private ArrayDeque<Reservation> serveLine() {
        ArrayDeque<Reservation> granted = new ArrayDeque<>();
        while (!line.isEmpty() && fits(line.element())) {
            Reservation next = line.remove();
            grant(next);
            granted.add(next);
        }
        if (!granted.isEmpty()) {
            noteLine();
        }
        return granted;
    }

    @GuardedBy("lock")
    private void join(Reservation reservation, boolean first) {
        if (first) {
            line.addFirst(reservation);
        } else {
            line.addLast(reservation);
        }
        if (line.size() == 1) {
            depleted.begin(time.nanoseconds());
        }
    }

    @GuardedBy("lock")
    private void noteLine() {
        if (line.isEmpty()) {
            depleted.end(time.nanoseconds());
        }
    }

    @GuardedBy("lock")
    private boolean fits(Reservation reservation) {
        boolean mustGoOn = reservation.wantedBytes == reservation.frameBytes ? wholeFrames == 0 : reservedBytes == 0;
        return !isBounded()
                || mustGoOn
                || reservedBytes + reservation.wantedBytes - reservation.heldBytes <= limitBytes;
    }

    @GuardedBy("lock")
    private void grant(Reservation reservation) {
        reservedBytes += reservation.wantedBytes - reservation.heldBytes;
        reservation.heldBytes = reservation.wantedBytes;
        wholeFrames += reservation.isWhole() ? 1 : 0;
        reservation.granted = true;
    }

    /** The memory of one frame. Shared: any thread. */
    static final class Reservation {
        private final int frameBytes;
        private final Runnable onGranted;
        private int wantedBytes;
        private int heldBytes;
        private boolean released;
        private volatile boolean granted;

        private Reservation(int frameBytes, Runnable onGranted) {
            this.frameBytes = frameBytes;
            this.onGranted = onGranted;
            this.wantedBytes = Math.min(frameBytes, BEGIN_BYTES);
        }

        /** Whether the bytes may be read. */
        boolean isGranted() {
            return granted;
        }

        /** Up to how many bytes of the frame may be read. */
        int heldBytes() {
            return heldBytes;
        }

        /** Whether that is all of it. */
        boolean isWhole() {
            return heldBytes == frameBytes;
        }
    }
}
