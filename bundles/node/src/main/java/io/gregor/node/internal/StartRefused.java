package io.gregor.node.internal;

/**
 * Settings or directories that cannot be used: the start ends, or the change is refused. Immutable. The message is for the
 * operator: what is wrong, with its value, and the way out.
 */
public final class StartRefused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartRefused(String message) {
        super(message);
    }
}
