package io.gregor.internal.security;

import java.util.List;

/**
 * The key stores and trust stores that the listeners of this node use. A service of each bundle that has some. Shared: any
 * thread.
 */
public interface Certificates {
    /** What is in use now, by listener. */
    List<CertificateRow> rows();

    /**
     * Reads the stores of a listener again, even if nothing shows that they have changed; the former ones stay if these are
     * broken or do not match. May block for I/O.
     *
     * @param listener its name; case does not matter
     * @param who the user who asks, for the journal
     * @return what came of it, in one line, for whoever asked
     * @throws IllegalArgumentException if there is no such listener here, or its stores cannot be used
     */
    String reload(String listener, String who);
}
