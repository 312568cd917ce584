package io.gregor.plugins.internal;

/** A jar or its bundle cannot be used. The message is one line: what is wrong; the advice: what to do. Immutable. */
public final class RefusedJar extends Exception {
    private static final long serialVersionUID = 1;

    private final String advice;
    private final String missingPackage;

    public RefusedJar(String reason, String advice) {
        this(reason, advice, "");
    }

    RefusedJar(String reason, String advice, String missingPackage) {
        super(reason);
        this.advice = advice;
        this.missingPackage = missingPackage;
    }

    /** The package without which it does not resolve; empty if that is not the reason. */
    String missingPackage() {
        return missingPackage;
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
