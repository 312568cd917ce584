package io.gregor.shell.internal;

/** What holds requests up. */
public enum Bottleneck {
    /** Handler threads: {@code num.io.threads}. */
    HANDLERS,
    /** Processors: {@code num.network.threads}. */
    NETWORK,
    /** The disk under the logs. */
    DISK,
    /** Clients that take their responses slowly. */
    CLIENTS,
    /** Nothing. */
    NONE,
    /** There are too few requests to tell. */
    UNKNOWN
}
