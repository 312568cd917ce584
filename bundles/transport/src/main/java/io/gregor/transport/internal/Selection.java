package io.gregor.transport.internal;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.apache.kafka.common.utils.Time;

/** The selector of a processor, and its sleep on it. Owned by the processor thread; {@link #wake} is for any thread. */
final class Selection {
    private final Selector selector;
    private final WakeUp wakeUp;
    private final Time time;
    private final NetworkCounters counters;
    private final List<ClientConnection> ready = new ArrayList<>();
    private final Consumer<SelectionKey> collector = this::collect;

    Selection(Time time, NetworkCounters counters) throws IOException {
        this.time = time;
        this.counters = counters;
        selector = Selector.open();
        wakeUp = new WakeUp(selector::wakeup);
    }

    Selector selector() {
        return selector;
    }

    /** There is work: what it is was added before. */
    void wake() {
        wakeUp.call();
    }

    /** The connections that are ready now; valid until the next selection. */
    List<ClientConnection> now() throws IOException {
        ready.clear();
        selector.selectNow(collector);
        return ready;
    }

    /**
     * The connections that are ready, waited for unless there is other work.
     *
     * @param hasWork looks for it; asked again once the sleep is announced
     * @param deadline how many milliseconds to wait at most, seen from the time it is told; 0 is for ever
     */
    List<ClientConnection> await(BooleanSupplier hasWork, LongUnaryOperator deadline) throws IOException {
        wakeUp.announceSleep();
        if (hasWork.getAsBoolean()) {
            wakeUp.awake();
            return now();
        }
        ready.clear();
        long fromNs = time.nanoseconds();
        counters.sleeps(fromNs);
        selector.select(collector, deadline.applyAsLong(fromNs));
        wakeUp.awake();
        counters.wakes(time.nanoseconds());
        return ready;
    }

    /** Closes the selector; connections still on it are left to their owners. */
    void close() throws IOException {
        selector.close();
    }

    private void collect(SelectionKey key) {
        ready.add((ClientConnection) key.attachment());
    }
}
