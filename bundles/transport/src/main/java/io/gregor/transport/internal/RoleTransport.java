package io.gregor.transport.internal;

import java.util.function.IntSupplier;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.fault.FaultHandler;

/** What the threads of all listeners of a role share. Shared: any thread; settings are replaced as a whole. */
public final class RoleTransport {
    private final Time time;
    private final IntakeSlot intake;
    private final RequestMemory memory;
    private final FaultHandler faults;
    private final StrangerLog strangers;
    private final IntSupplier maxRequestBytes = this::askedMaxRequestBytes;
    private volatile TransportSettings settings;

    /**
     * Puts it together.
     *
     * @param settings the settings that count first
     * @param memory bounds the frames
     * @param faults where the fault of a whole thread goes
     */
    public RoleTransport(TransportSettings settings, Time time, RequestMemory memory, FaultHandler faults) {
        this.settings = settings;
        this.time = time;
        this.intake = new IntakeSlot();
        this.memory = memory;
        this.faults = faults;
        this.strangers = new StrangerLog(time);
    }

    /** The settings that count now. */
    TransportSettings settings() {
        return settings;
    }

    /** Other settings count from now on. Reconfiguration thread. */
    void settings(TransportSettings next) {
        settings = next;
    }

    /** The clock. */
    Time time() {
        return time;
    }

    /** Where frames go. */
    IntakeSlot intake() {
        return intake;
    }

    /** Bounds the frames. */
    RequestMemory memory() {
        return memory;
    }

    /** Where the fault of a whole thread goes. */
    FaultHandler faults() {
        return faults;
    }

    /** Tells of clients that speak something else. */
    StrangerLog strangers() {
        return strangers;
    }

    /** {@code socket.request.max.bytes}, as it is when asked. */
    IntSupplier maxRequestBytes() {
        return maxRequestBytes;
    }

    private int askedMaxRequestBytes() {
        return settings.sockets().maxRequestBytes();
    }
}
