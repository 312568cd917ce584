package io.gregor.plugins.internal;

import java.lang.reflect.InvocationTargetException;
import java.util.List;

/** The innermost exception of a fault, on one line: what is around it only repeats that something failed. */
final class ActivationFault {
    private static final String CAUSED_BY = "Caused by: ";

    private ActivationFault() {}

    /** From the text of a stack trace. */
    static String line(String stackTrace) {
        List<String> lines = stackTrace.lines().toList();
        String inner = lines.isEmpty() ? "no reason given" : lines.get(0);
        for (String line : lines) {
            if (line.startsWith(CAUSED_BY)) {
                inner = line.substring(CAUSED_BY.length());
            }
        }
        String plain = inner.strip();
        return plain.startsWith(InvocationTargetException.class.getName()) ? "an exception without a message" : plain;
    }

    /** From a fault. */
    static String line(Throwable fault) {
        Throwable inner = fault;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.toString().replaceAll("\\s+", " ");
    }
}
