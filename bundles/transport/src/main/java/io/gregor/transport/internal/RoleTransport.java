package io.gregor.transport.internal;

import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.fault.FaultHandler;

/**
 * What the threads of all listeners of a role share. Immutable.
 *
 * @param settings the settings of the role
 * @param time the clock
 * @param intake where frames go
 * @param memory bounds the frames
 * @param faults where the fault of a whole thread goes
 * @param strangers tells of clients that speak something else
 */
public record RoleTransport(
        TransportSettings settings,
        Time time,
        IntakeSlot intake,
        RequestMemory memory,
        FaultHandler faults,
        StrangerLog strangers) {}
