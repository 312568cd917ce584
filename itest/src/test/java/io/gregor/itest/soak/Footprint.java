package io.gregor.itest.soak;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;

/**
 * What a node holds at a moment. Immutable.
 *
 * @param heapBytes in use after a collection
 * @param openFiles files and sockets
 * @param threads living threads
 * @param beans MBeans of Kafka's domains
 */
record Footprint(long heapBytes, long openFiles, int threads, int beans) {
    private static final long MEGABYTE = 1 << 20;

    static Footprint of(GregorProcess node) {
        try (NodeJmx jmx = NodeJmx.attach(node)) {
            return new Footprint(
                    jmx.heapAfterCollection(),
                    node.openFiles(),
                    jmx.threads("").size(),
                    jmx.names("kafka.*:*").size());
        } catch (Exception fault) {
            throw new IllegalStateException(fault);
        }
    }

    /** Whether it is no more than the former, but for what comes and goes: a segment, a connection, a class. */
    boolean isFlatBeside(Footprint former) {
        return heapBytes <= former.heapBytes + former.heapBytes / 10 + 4 * MEGABYTE
                && openFiles <= former.openFiles + former.openFiles / 20 + 8
                && threads <= former.threads + 4
                && beans <= former.beans + former.beans / 50 + 10;
    }

    @Override
    public String toString() {
        return "heap %.1f MB, files %d, threads %d, MBeans %d"
                .formatted((double) heapBytes / MEGABYTE, openFiles, threads, beans);
    }
}
