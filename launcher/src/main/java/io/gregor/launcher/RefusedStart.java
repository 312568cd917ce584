package io.gregor.launcher;

/** A start that cannot succeed; its message is the one line that the operator sees. Immutable. */
final class RefusedStart extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    RefusedStart(String reason) {
        super(reason);
        this.reason = reason;
    }

    RefusedStart(String reason, Throwable cause) {
        super(reason, cause);
        this.reason = reason;
    }

    /** For the operator; one line, or one a fault. */
    String reason() {
        return reason;
    }
}
