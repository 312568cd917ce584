package io.gregor.plugins.internal;

/** A jar or its bundle cannot be used. The message is one line: what is wrong; the advice: what to do. Immutable. */
public final class RefusedJar extends Exception {
    private static final long serialVersionUID = 1;

    private final String advice;

    public RefusedJar(String reason, String advice) {
        super(reason);
        this.advice = advice;
    }

    /** What to do, as {@code build it against io.gregor.api 1.0}. */
    public String advice() {
        return advice;
    }

    /** Reason and advice on one line. */
    public String line() {
        return reason() + "; " + advice;
    }

    /** What is wrong. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
