package io.gregor.transport.internal;

import io.gregor.internal.request.Outgoing;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.errors.AuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with the connections of one processor that are its own and open; a fault in one closes that one and no other. Owned
 * by the processor thread.
 */
final class GuardedDriver {
    private static final Logger LOGGER = LoggerFactory.getLogger(GuardedDriver.class);
    private static final int RESPONSES_A_TURN = 512;

    private final Processor processor;
    private final ConnectionSet connections;
    private final FrameDelivery delivery;
    private final ChannelDriver driver;
    private final Step serving;
    private final Step resuming;

    /** What is done with a connection; its fault closes it. */
    interface Step {
        void take(ClientConnection connection) throws IOException;
    }

    GuardedDriver(Processor processor, ConnectionSet connections, FrameDelivery delivery, ChannelDriver driver) {
        this.processor = processor;
        this.connections = connections;
        this.delivery = delivery;
        this.driver = driver;
        this.serving = driver::selected;
        this.resuming = driver::resume;
    }

    /** Does what responses and throttle events say, as far as a turn reaches; passes on what is another processor's. */
    void takeResponses(ResponseQueue responses) {
        for (int taken = 0; taken < RESPONSES_A_TURN; taken++) {
            ClientConnection connection = responses.poll();
            if (connection == null) {
                break;
            }
            delivery.moreFollow(!responses.isEmpty());
            if (connection.owner() != processor) {
                connection.owner().post(connection);
            } else if (connection.key().isRegistered()) {
                takeOutgoing(connection);
                if (connection.channel().hasEndedStep()) {
                    goOn(connection, resuming);
                }
            } // else it is about to arrive, and then everything is taken that has come for it
        }
        delivery.settle();
    }

    /** Goes on with connections that the selector found ready. */
    void serve(List<ClientConnection> selected) {
        int last = selected.size() - 1;
        for (int index = 0; index <= last; index++) {
            delivery.moreFollow(index < last);
            goOn(selected.get(index), serving);
        }
    }

    /** Goes on with connections though the selector may not have named them. */
    void resume(List<ClientConnection> unselected) {
        forEach(unselected, resuming);
    }

    /** Goes on with connections that are to end. */
    void hasten(Collection<ClientConnection> some) {
        forEach(some, driver::hasten);
    }

    /** Reads what has arrived at connections, and nothing after that. */
    void lastCall(Collection<ClientConnection> some) {
        forEach(some, driver::lastCall);
    }

    private void forEach(Collection<ClientConnection> some, Step step) {
        for (ClientConnection connection : some) {
            goOn(connection, step);
        }
    }

    /** Goes on with connections that have just come from another processor, and with what has come for them. */
    void resumeArrived(List<ClientConnection> arrived) {
        for (ClientConnection connection : arrived) {
            boolean mayHaveMore = true;
            while (mayHaveMore) {
                mayHaveMore = takeOutgoing(connection);
            }
            goOn(connection, resuming);
        }
    }

    private void goOn(ClientConnection connection, Step step) {
        if (connection.isClosed() || connection.owner() != processor) {
            return;
        }
        try {
            step.take(connection);
        } catch (IOException | RuntimeException | Error e) {
            closeFaulty(connection, e);
        }
    }

    /** Takes one response or throttle event; false if there is none. */
    private boolean takeOutgoing(ClientConnection connection) {
        Outgoing next = connection.nextOutgoing();
        if (next == null) {
            return false;
        }
        try {
            if (connection.isClosed()) {
                next.dropped();
            } else {
                driver.take(connection, next);
            }
        } catch (IOException | RuntimeException | Error e) {
            closeFaulty(connection, e);
        }
        return true;
    }

    /**
     * A broken connection is the client's affair, a bug is told in full. Before somebody is known, what looks like a bug may
     * well be made of the bytes that were sent: of these there is a line at times.
     */
    private void closeFaulty(ClientConnection connection, Throwable fault) {
        if (fault instanceof AuthenticationException) {
            connections.noteFailedAuthentication(connection);
        }
        boolean isStranger = !connection.channel().isKnown() && !(fault instanceof Error);
        if (isStranger) {
            connections.noteStranger(connection, fault);
        }
        if (isStranger && fault instanceof RuntimeException) {
            LOGGER.debug(
                    "closing a connection after a fault before it was authenticated: connection={}", connection, fault);
        } else if (fault instanceof IOException || fault instanceof AuthenticationException) {
            LOGGER.debug("connection broken: connection={} reason={}", connection, fault.toString());
        } else {
            LOGGER.error(
                    "closing a connection after a fault: connection={} muteState={}",
                    connection,
                    connection.muteState(),
                    fault);
        }
        connections.close(connection);
    }
}
