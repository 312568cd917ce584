package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Shared: any thread; see {@code put}, {@code putFollowUp} and {@code take}. Between processors and handler threads of one
 * role: a bounded queue of requests, and an unbounded one of their follow-up work, which is served first (each request in
 * hand has at most a few, and those are bounded by the connections). When it is full, {@code put} blocks: that is the back
 * pressure.
 *
 * <p>Waking a thread is the dear part, so it is done only when it must be. Sleeping threads lie on a stack: the one that
 * fell asleep last has the warmest cache and is called first, the others are left alone. At most one thread is on its way
 * at a time: a burst of requests calls one, which calls the next if it finds more than it takes ({@code isExpected} marks
 * it until it comes back to the channel). A thread that does brief work counts as on its way too, as it is back before
 * another could have woken up. What waits is never forgotten: whenever something waits and a thread sleeps, at least one
 * thread is expected, and every expected thread looks here and passes the duty on when it takes other than brief work.
 */
public final class RequestChannel {
    /** So many may wait for each expected thread before another one is called. */
    private static final int BACKLOG_PER_EXPECTED = 16;

    /** So many wait at most for the end of a processor's turn. */
    private static final int UNSETTLED = 8;

    private static final int SPINS = 24;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomMade = lock.newCondition();

    @GuardedBy("lock")
    private int capacity;

    @GuardedBy("lock")
    private final ArrayDeque<Work> requests = new ArrayDeque<>();

    @GuardedBy("lock")
    private final ArrayDeque<Work> followUps = new ArrayDeque<>();

    @GuardedBy("lock")
    private final ArrayList<HandlerSeat> sleeping = new ArrayList<>();

    @GuardedBy("lock")
    private int expected;

    @GuardedBy("lock")
    private int blockedPuts;

    @GuardedBy("lock")
    private boolean closed;

    RequestChannel(int capacity) {
        this.capacity = capacity;
    }

    /** Queues a request; blocks while the channel is full. False if the channel is closed: the request is not taken. */
    boolean put(Work request) {
        return put(request, false);
    }

    /** The same by one who calls {@link #settle} soon: a few requests wait for that, so that one call does for all. */
    boolean putInTurn(Work request) {
        return put(request, true);
    }

    private boolean put(Work request, boolean settlesLater) {
        HandlerSeat seat = null;
        lock();
        try {
            if (requests.size() >= capacity) {
                awaitRoom();
            }
            if (closed) {
                return false;
            }
            requests.addLast(request);
            if (!settlesLater || requests.size() >= UNSETTLED) {
                seat = seatToCall();
            }
        } finally {
            lock.unlock();
        }
        call(seat);
        return true;
    }

    /** Calls a thread if one is needed for what waits. */
    void settle() {
        HandlerSeat seat;
        lock();
        try {
            seat = seatToCall();
        } finally {
            lock.unlock();
        }
        call(seat);
    }

    /** Queues follow-up work; never blocks. False if the channel is closed: the work is not taken. */
    boolean putFollowUp(Work work) {
        HandlerSeat seat;
        lock();
        try {
            if (closed) {
                return false;
            }
            followUps.addLast(work);
            seat = seatToCall();
        } finally {
            lock.unlock();
        }
        call(seat);
        return true;
    }

    /** The next work for a handler thread, waited for; null when the thread is to end. */
    @Nullable
    Work take(HandlerSeat seat) {
        while (true) {
            Work work;
            HandlerSeat next;
            boolean ends;
            lock();
            try {
                arrived(seat);
                ends = closed || seat.isRetired;
                work = ends ? null : poll();
                if (work != null && work.isBrief()) {
                    seat.isExpected = true;
                    expected++;
                }
                next = seatToCall();
                if (work == null && !ends) {
                    seat.prepareSleep();
                    sleeping.add(seat);
                }
            } finally {
                lock.unlock();
            }
            call(next);
            if (work != null || ends) {
                return work;
            }
            seat.sleep();
        }
    }

    /** Lets one handler thread end when it comes back, at once if it sleeps. */
    void retire(HandlerSeat seat) {
        lock();
        try {
            seat.isRetired = true;
            if (!sleeping.remove(seat)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        seat.call();
    }

    /** Counts no more on a handler thread, which may never come back; if it does, it ends. */
    void lose(HandlerSeat seat) {
        HandlerSeat next;
        lock();
        try {
            seat.isRetired = true;
            arrived(seat);
            next = seatToCall();
        } finally {
            lock.unlock();
        }
        call(next);
    }

    /** Lets all handler threads end when they come back, releases blocked puts and abandons what waits. */
    void close() {
        List<Work> abandoned;
        List<HandlerSeat> seats;
        lock();
        try {
            closed = true;
            abandoned = new ArrayList<>(requests);
            abandoned.addAll(followUps);
            requests.clear();
            followUps.clear();
            seats = List.copyOf(sleeping);
            sleeping.clear();
            roomMade.signalAll();
        } finally {
            lock.unlock();
        }
        abandoned.forEach(Work::abandon);
        seats.forEach(HandlerSeat::call);
    }

    /** Requests that wait, follow-up work not counted. */
    int depth() {
        lock();
        try {
            return requests.size();
        } finally {
            lock.unlock();
        }
    }

    /** {@code queued.max.requests}. */
    int capacity() {
        lock();
        try {
            return capacity;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes how many requests may wait. With more room, blocked puts go on at once; with less, those that wait already
     * stay, and puts block until there are fewer.
     */
    void resize(int newCapacity) {
        lock();
        try {
            capacity = newCapacity;
            roomMade.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Handler threads that have nothing to do. */
    int sleepingThreads() {
        lock();
        try {
            return sleeping.size();
        } finally {
            lock.unlock();
        }
    }

    /** What was left for {@link #settle} is settled before: nobody else would make room. */
    @GuardedBy("lock")
    private void awaitRoom() {
        call(seatToCall());
        blockedPuts++;
        while (requests.size() >= capacity && !closed) {
            roomMade.awaitUninterruptibly();
        }
        blockedPuts--;
    }

    @GuardedBy("lock")
    private void arrived(HandlerSeat seat) {
        if (seat.isExpected) {
            seat.isExpected = false;
            expected--;
        }
    }

    @GuardedBy("lock")
    private @Nullable Work poll() {
        Work followUp = followUps.pollFirst();
        if (followUp != null) {
            return followUp;
        }
        Work request = requests.pollFirst();
        if (request != null && blockedPuts > 0 && requests.size() < capacity) {
            roomMade.signal();
        }
        return request;
    }

    /** Takes the seat that is to be called, if one is, off the stack; the caller calls it after it has left the lock. */
    @GuardedBy("lock")
    private @Nullable HandlerSeat seatToCall() {
        int waiting = requests.size() + followUps.size();
        if (waiting == 0 || sleeping.isEmpty() || (expected > 0 && waiting <= expected * BACKLOG_PER_EXPECTED)) {
            return null;
        }
        HandlerSeat seat = sleeping.remove(sleeping.size() - 1);
        seat.isExpected = true;
        expected++;
        return seat;
    }

    private static void call(@Nullable HandlerSeat seat) {
        if (seat != null) {
            seat.call();
        }
    }

    /** The lock is held for some ten nanoseconds at a time, so a thread tries for about a microsecond before it parks. */
    private void lock() {
        for (int i = 0; i < SPINS; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }
}
