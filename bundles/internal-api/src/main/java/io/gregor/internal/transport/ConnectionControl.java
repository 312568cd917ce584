package io.gregor.internal.transport;

import io.gregor.internal.request.Hurried;
import java.util.function.Consumer;

/** What can be done to connections from outside. A service of transport with the property {@code role}. Any thread. */
public interface ConnectionControl {
    /** Closes the connection with this id; false if there is none. Its request in hand gets no answer. */
    boolean kill(String connectionId);

    /**
     * Shows the requests in hand of all connections. One whose connection is just moving to another processor may be missed;
     * who must reach all asks again.
     */
    void forEachInHand(Consumer<Hurried> look);
}
