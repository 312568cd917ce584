package io.gregor.transport.internal;

import java.io.IOException;
import java.net.BindException;
import org.apache.kafka.common.Endpoint;

/** A listener's address cannot be bound. Immutable. The message is for the operator. */
final class CannotBindException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CannotBindException(Endpoint endpoint, IOException reason) {
        super(message(endpoint, reason), reason);
    }

    private static String message(Endpoint endpoint, IOException reason) {
        String value = ServerPort.configured(endpoint) + " cannot be bound: ";
        if (reason instanceof BindException
                && String.valueOf(reason.getMessage()).contains("in use")) {
            return value + "the address is in use; stop the process that listens on port " + endpoint.port()
                    + ", or choose another port";
        }
        return value + reason.getMessage() + "; choose an address of this machine and a port that this user may open";
    }
}
