package io.gregor.transport.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one connection. Written by the processor thread that owns it; shared: any thread may read, and sees values
 * that were true a moment ago. Opaque access, so that counting costs no fence.
 */
final class Traffic {
    private static final VarHandle BYTES_IN = handle("bytesIn");
    private static final VarHandle BYTES_OUT = handle("bytesOut");
    private static final VarHandle LAST_ACTIVE_NS = handle("lastActiveNs");

    private long bytesIn;
    private long bytesOut;

    @SuppressWarnings("UnusedVariable") // through its handle
    private long lastActiveNs;

    Traffic(long nowNs) {
        lastActiveNs = nowNs;
    }

    void read(long bytes, long nowNs) {
        BYTES_IN.setOpaque(this, bytesIn + bytes);
        LAST_ACTIVE_NS.setOpaque(this, nowNs);
    }

    void written(long bytes, long nowNs) {
        BYTES_OUT.setOpaque(this, bytesOut + bytes);
        LAST_ACTIVE_NS.setOpaque(this, nowNs);
    }

    void active(long nowNs) {
        LAST_ACTIVE_NS.setOpaque(this, nowNs);
    }

    long bytesIn() {
        return (long) BYTES_IN.getOpaque(this);
    }

    long bytesOut() {
        return (long) BYTES_OUT.getOpaque(this);
    }

    long lastActiveNs() {
        return (long) LAST_ACTIVE_NS.getOpaque(this);
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(Traffic.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
