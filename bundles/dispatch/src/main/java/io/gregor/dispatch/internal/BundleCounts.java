package io.gregor.dispatch.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.kafka.common.protocol.Errors;

/**
 * What the handlers of one bundle did, by the slots of {@link StatsSlots}. Shared: any thread reads, and may miss the last
 * request; each thread that counts writes to a row of its own, found by the number of its {@link StatsStripe}, without a
 * lock.
 */
final class BundleCounts {
    /** Places in a cell. */
    static final int REQUESTS = 0;

    static final int FAILURES = 1;
    static final int ERRORS = 2;
    static final int BUSY_NS = 3;
    static final int ANSWER_NS = 4;

    private static final int PLACES = 5;

    private static final VarHandle NUMBER = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[][].class);

    private volatile Row[] rows = new Row[0];

    /** Counts a request that is done. The owner of the stripe. */
    void add(int stripe, int slot, RequestTimes times) {
        Row[] all = rows;
        long[] cell = (stripe < all.length ? all[stripe] : newRow(stripe)).cell(slot);
        ParsedRequest request = times.subject();
        long givenNs = request.givenNs() == 0 ? times.dequeuedNs() : request.givenNs();
        add(cell, REQUESTS, 1);
        add(cell, BUSY_NS, Math.max(0, times.localDoneNs() - givenNs) + times.followUpNs());
        add(cell, ANSWER_NS, Math.max(0, times.answeredNs() - givenNs));
        Map<Errors, Integer> errors = request.errors();
        if (errors != null && hasError(errors)) {
            add(cell, ERRORS, 1);
        }
        if (request.isFailed()
                || times.isClosing()
                || (errors != null && errors.containsKey(Errors.UNKNOWN_SERVER_ERROR))) {
            add(cell, FAILURES, 1);
        }
    }

    /** The sum of one place over all slots. */
    long sum(int place) {
        return sum(place, slot -> true);
    }

    /** The sum of one place over these slots. */
    long sum(int place, IntPredicate slots) {
        long sum = 0;
        for (Row row : rows) {
            sum += row.sum(place, slots);
        }
        return sum;
    }

    /** How many slots there may be. */
    int slots() {
        return Arrays.stream(rows).mapToInt(row -> row.bySlot.length).max().orElse(0);
    }

    private static void add(long[] cell, int place, long amount) {
        NUMBER.setOpaque(cell, place, cell[place] + amount);
    }

    private static boolean hasError(Map<Errors, Integer> errors) {
        return errors.size() > 1 || (!errors.isEmpty() && !errors.containsKey(Errors.NONE));
    }

    private synchronized Row newRow(int stripe) {
        Row[] before = rows;
        if (stripe < before.length) {
            return before[stripe];
        }
        Row[] grown = Arrays.copyOf(before, stripe + 1);
        for (int i = before.length; i <= stripe; i++) {
            grown[i] = new Row();
        }
        rows = grown;
        return grown[stripe];
    }

    /** Owned by the thread of its stripe; any thread reads. */
    private static final class Row {
        volatile long[][] bySlot = new long[0][];

        long[] cell(int slot) {
            long[][] cells = bySlot;
            if (slot >= cells.length) {
                cells = Arrays.copyOf(cells, slot + 1);
                bySlot = cells;
            }
            long[] cell = cells[slot];
            if (cell == null) {
                cell = new long[PLACES];
                CELL.setRelease(cells, slot, cell);
            }
            return cell;
        }

        long sum(int place, IntPredicate slots) {
            long[][] cells = bySlot;
            long sum = 0;
            for (int slot = 0; slot < cells.length; slot++) {
                long[] cell = (long[]) CELL.getAcquire(cells, slot);
                if (cell != null && slots.test(slot)) {
                    sum += (long) NUMBER.getOpaque(cell, place);
                }
            }
            return sum;
        }
    }
}
