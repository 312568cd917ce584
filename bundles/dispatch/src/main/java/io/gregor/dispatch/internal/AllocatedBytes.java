package io.gregor.dispatch.internal;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a thread has allocated, as the virtual machine counts it. Immutable. */
final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocatedBytes() {}

    /** What the calling thread has allocated in its life, in bytes. */
    static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
