package io.gregor.internal.transport;

import java.util.List;

/** What transport shows of itself. A service with the property {@code role}. Shared: any thread; each call is a snapshot. */
public interface TransportView {
    /**
     * A listener. {@code state} is {@code bound} while clients wait in the backlog, {@code open} when they are taken, and
     * {@code draining} when it was removed and its last requests are answered.
     */
    record ListenerRow(
            String name, String protocol, String host, int port, String state, int processors, int connections) {
        /** Whether clients are taken. */
        public boolean open() {
            return state.equals("open");
        }
    }

    /** A processor. {@code thread} is its thread's name, {@code queued} the length of its response queue. */
    record ProcessorRow(int id, String listener, String thread, int connections, int queued) {}

    /**
     * A connection. {@code client} is the software's name and version, {@code muteState} one of Kafka's five in lower case
     * with spaces, {@code throttledMs} how long a quota still holds it back if that is known and else 0, {@code lastApiKey} -1 before the first request.
     */
    record ConnectionRow(
            String id,
            String listener,
            int processor,
            String client,
            String principal,
            String muteState,
            long throttledMs,
            int lastApiKey,
            long bytesIn,
            long bytesOut,
            long ageMs,
            long idleMs) {}

    /** All listeners, in the order of the configuration. */
    List<ListenerRow> listeners();

    /** All processors, by id. */
    List<ProcessorRow> processors();

    /** All connections. */
    List<ConnectionRow> connections();

    /** How much of their time processors slept in about the last minute: 1 is all of it. */
    double networkIdleRatio();
}
