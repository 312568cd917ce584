package io.gregor.internal.change;

import java.util.Map;

/**
 * Where changes are written down that are not of settings, beside those that are; {@link LiveConfig#journal} reads both. A
 * service of {@code node}. Shared: any thread; nothing here waits.
 */
public interface Journal {
    /**
     * Writes a change down that has been made, or has failed.
     *
     * @param who the principal, the user of the shell, or empty for the node itself
     * @param door {@code deploy}, {@code shell} or {@code node}
     * @param before what was, by subject, as {@code plugin io.example.masking} to {@code 1.0.0}; without what was not there
     * @param after what is; without what is not there any more
     * @param result {@code applied}, {@code refused: …}, with figures if there are any
     */
    void add(String who, String door, Map<String, String> before, Map<String, String> after, String result);

    /** Whether what was written down last of a subject, and applied, has left it like this. */
    boolean isLast(String subject, String value);
}
