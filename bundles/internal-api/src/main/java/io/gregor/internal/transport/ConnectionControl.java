package io.gregor.internal.transport;

/** What can be done to connections from outside. A service of transport with the property {@code role}. Any thread. */
public interface ConnectionControl {
    /** Closes the connection with this id; false if there is none. Its request in hand gets no answer. */
    boolean kill(String connectionId);
}
