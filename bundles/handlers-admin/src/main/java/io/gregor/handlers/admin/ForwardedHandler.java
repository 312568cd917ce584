package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.internal.broker.Forwarding;

/**
 * Hands a request to the active controller and answers with what it says. Immutable.
 *
 * <p>The one copy of what all purely forwarded APIs do; the controller authorizes and validates. Each of them still has a
 * component of its own, although it adds nothing but its key: an API is found by its class name, shows in the list of
 * handlers under that name, and can be disabled or replaced by itself. Each names the service it offers: the component
 * annotation looks at directly implemented interfaces only.
 */
abstract class ForwardedHandler implements RequestHandler {
    private final Forwarding forwarding;

    ForwardedHandler(Forwarding forwarding) {
        this.forwarding = forwarding;
    }

    @Override
    public final void handle(Request request) {
        forwarding.forward(request);
    }
}
